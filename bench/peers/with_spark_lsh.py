"""Spark's own MinHashLSH: binary shingle vectors, five tables of one hash, a similarity join checked by the vectors."""

from typing import Any

import common
from pyspark.ml.feature import HashingTF, MinHashLSH
from pyspark.sql import SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import ArrayType, StringType

TABLES = 5
FEATURES = 1 << 22

options = common.arguments()
texts = common.read_texts(options.docs)
master = f"local[{options.threads}]"
session = SparkSession.builder.master(master).config("spark.driver.memory", "8g").getOrCreate()
session.sparkContext.setLogLevel("OFF")
# Tasks need it, too: they cut texts into shingles.
session.sparkContext.addPyFile(common.__file__)
lines = session.sparkContext.textFile(str(options.docs), 8 * options.threads).zipWithIndex().toDF(["line", "number"])
shingle = sf.udf(common.shingle, ArrayType(StringType()))
rows = lines.select("number", shingle(sf.get_json_object("line", "$.text")).alias("shingles")).where(
    "size(shingles) > 0"
)
vectors = HashingTF(inputCol="shingles", outputCol="features", numFeatures=FEATURES, binary=True).transform(rows)
vectors = vectors.select("number", "features").cache()
model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=TABLES, seed=1).fit(vectors)
near = model.approxSimilarityJoin(vectors, vectors, 1 - options.threshold, "distance")
found: Any = near.where("datasetA.number < datasetB.number").select("datasetA.number", "datasetB.number").toPandas()
session.stop()

groups, pairs = common.Groups(len(texts)), list[int]()
for left, right in found.itertuples(index=False):
    groups.join(left, right)
    pairs += (left, right)
common.write(options.out, groups.labels(), pairs)
