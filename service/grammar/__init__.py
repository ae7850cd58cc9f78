"""A few sure errors of grammar in spoken English."""
