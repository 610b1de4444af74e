"""The tasks in Inspect AI (extra `inspect`): `inspect eval longtrail/shopping_admin -T condition=hint --model ...`"""
