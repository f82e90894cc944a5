#!/bin/sh
# Runs in a private mount namespace: unmounts the folder given first, then becomes the command that follows.
set -eu
umount "$1"
shift
exec "$@"
