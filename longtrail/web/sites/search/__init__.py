"""The search engine of the sealed web: one index over all pages of the consumer web, behind two familiar faces."""
