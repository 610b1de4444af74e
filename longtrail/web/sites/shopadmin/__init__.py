"""The shop's back office: a site that is URL- and label-compatible with Magento 2.4's admin."""
