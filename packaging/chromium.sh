#!/bin/sh
# chromium.sh CACHE: print the path of a Chromium, for tests of pages.
#
# Takes the installed one, or else unpacks Debian's headless one into CACHE, with fonts for Latin, Chinese, Japanese and
# Korean. No root is needed.
set -eu
if command -v chromium-headless-shell || command -v chromium; then exit; fi
. "$(dirname "$0")/debian.sh"
mkdir -p "$1"
cache=$(realpath "$1")
# Several processes may run this at once.
exec 9> "$cache/lock"
flock 9
folder=$cache/headless-shell
fetch "$(dpkg --print-architecture)" /var/lib/dpkg/status "$folder" chromium-headless-shell fonts-dejavu-core fonts-wqy-microhei >&2
libraries=$(find "$folder/usr/lib" -maxdepth 2 -path '*-linux-gnu*' -type d -printf '%p:')
cat > "$folder.fonts" <<END
<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>$folder/usr/share/fonts</dir>
  <cachedir>$folder.fontcache</cachedir>
</fontconfig>
END
cat > "$folder.start" <<END
#!/bin/sh
export LD_LIBRARY_PATH="$libraries" FONTCONFIG_FILE="$folder.fonts"
exec "$folder/usr/lib/chromium/chromium-headless-shell" "\$@"
END
chmod +x "$folder.start"
echo "$folder.start"
