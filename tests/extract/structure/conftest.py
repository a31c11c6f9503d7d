"""Properties of single steps have no deadline: on a busy machine any call may take long."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
