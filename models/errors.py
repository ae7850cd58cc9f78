"""What can be wrong with a model before it runs. Every message says what to do about it."""


class ModelUnavailable(Exception):
    """A model cannot be used. The message names the cause and the remedy, and never any input text."""


class ArtifactUnavailable(ModelUnavailable):
    """A pinned package could not be fetched, or is not what was pinned."""


class ManifestInvalid(ModelUnavailable):
    """A manifest cannot be read, or an entry in it is wrong."""


class ModelUnknown(ModelUnavailable):
    """No manifest entry has this id."""


class ModelMissing(ModelUnavailable):
    """The model is in the manifest but has not been built here."""


class ModelHashMismatch(ModelUnavailable):
    """A file of a built model is not the file that was built."""


class ModelBuildFailed(ModelUnavailable):
    """A model could not be built from its sources."""


class ModelExportFailed(ModelUnavailable):
    """A model could not be exported."""


class ModelNotLoaded(ModelUnavailable):
    """The runtime cannot load a built model: for lack of memory, or in another version than it was built for."""


class ModelInaccurate(ModelUnavailable):
    """A model does not give here what it gave where it was built."""


class ProviderUnavailable(ModelUnavailable):
    """The requested execution provider does not run, or does not run the whole model."""
