"""Settings of Hadoop, as a session has them."""

from typing import Any

from pyspark.sql import SparkSession

from neardup.remote.storage import SCHEMES, Storage


def storage_of(session: SparkSession) -> Storage:
    """Return the storage with the settings of a session, such as `spark.hadoop.fs.s3a.endpoint`."""
    conf: Any = session._jsparkSession.sessionState().newHadoopConf()
    known = [(prefix, conf.getPropsWithPrefix(prefix)) for prefix in set(SCHEMES.values()) if prefix]
    return Storage(tuple(sorted((prefix + name, of[name]) for prefix, of in known for name in of)))
