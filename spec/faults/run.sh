#!/bin/sh
# Kills the host at random moments while meetings are booked, and counts the bookings.
#
#   sh spec/faults/run.sh [--rounds N] [--seed N]       200 rounds; ends with "N passed, N failed"
#
# A round that failed prints its seed: --rounds 1 --seed SEED runs it again. LUNASK names another
# program than build/lunask.
set -eu
cd "$(dirname "$0")/../.."
exec lua5.4 spec/faults/kills.lua "$@"
