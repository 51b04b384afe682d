#!/bin/sh
# java.sh CACHE: print the home of a Java of version 17 or newer, for tests on Spark.
#
# Takes the installed one, by JAVA_HOME or PATH, or else unpacks Debian's into CACHE. No root is needed.
set -eu

# Print the home of the Java that the program $1 starts, if it is new enough.
home_of() {
    settings=$("$1" -XshowSettings:properties -version 2>&1) || return 0
    version=$(echo "$settings" | sed -n 's/^ *java\.specification\.version = //p')
    # The version of Java 8 is 1.8.
    if [ "${version%%.*}" -ge 17 ]; then echo "$settings" | sed -n 's/^ *java\.home = //p'; fi
}

for java in ${JAVA_HOME:+"$JAVA_HOME/bin/java"} java; do
    home=$(home_of "$java")
    if [ -n "$home" ]; then echo "$home"; exit; fi
done

. "$(dirname "$0")/debian.sh"
mkdir -p "$1"
cache=$(realpath "$1")
# Several processes may run this at once.
exec 9> "$cache/lock"
flock 9
folder=$cache/java
fetch "$(dpkg --print-architecture)" /var/lib/dpkg/status "$folder" openjdk-17-jre-headless >&2
# Its configuration is in /etc of the package, not of this machine.
find "$folder/usr/lib/jvm" -type l -lname '/etc/java-*' | while read -r link; do
    ln -sfr "$folder$(readlink "$link")" "$link"
done
set -- "$folder"/usr/lib/jvm/java-17-*/bin/java
home=$(home_of "$1")
test -n "$home" || { echo "$0: the Java in $folder does not run" >&2; "$1" -version >&2; exit 1; }
echo "$home"
