"""Pictures: the drawings that members of the forum post. `python -m longtrail.authoring.pictures` draws them anew.

What decides a case stands in the pixels alone: files are named by a checksum of the drawing's name, and hold no words
besides the drawn ones. Drawing needs the extra `pictures` (matplotlib, and the fonts that come with it); serving the
checked-in files needs neither.
"""
