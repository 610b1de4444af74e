"""Forum: the community at forum.test. Addresses and labels are Postmill's; markup, people and texts are our own."""
