"""A walk over every method of every resource of both SDKs: found, called, recorded, replayed."""
