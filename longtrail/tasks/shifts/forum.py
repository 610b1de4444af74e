"""Forum: members, posts and records of a shift in the moderation, and how a decision is carried out there."""
