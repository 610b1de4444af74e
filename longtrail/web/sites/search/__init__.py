"""The search engine of the sealed web: one index over all pages of the consumer web, with two hosts of different
design."""
