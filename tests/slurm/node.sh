#!/usr/bin/env bash
# A Slurm of one node on this machine, for tests: `node.sh up FOLDER` starts it, `node.sh down FOLDER` stops it.
#
# Needs root and Debian's slurmctld, slurmd, slurm-client and munge; no systemd, no control groups and no database.
# The configuration must be /etc/slurm/slurm.conf: jobs that Snakemake submits do not get SLURM_CONF. A machine that
# has one of another origin has a Slurm of its own, which is left alone.
set -euo pipefail
folder=$(realpath -m "$2")
conf=/etc/slurm/slurm.conf

stop() { # the daemons that `up` started, by their ids
    for daemon in slurmd slurmctld munged; do
        [ ! -s "$folder/$daemon.pid" ] || kill "$(cat "$folder/$daemon.pid")" 2> /dev/null || true
    done
    [ "$(readlink $conf)" != "$folder/slurm.conf" ] || rm $conf
}

start() {
    local host cores memory
    host=$(hostname -s) cores=$(nproc) memory=$(awk '/MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)
    if [ -e $conf ] || pgrep -x slurmctld > /dev/null; then
        echo "this machine has a Slurm of its own" >&2
        exit 1
    fi
    mkdir -p "$folder"/{state,spool} /run/munge /etc/slurm
    chown munge:munge /run/munge /var/log/munge /var/lib/munge
    chmod 755 /run/munge
    getent hosts "$host" > /dev/null || echo "127.0.0.1 $host" >> /etc/hosts
    # Jobs are killed when they outgrow their memory: it is polled every second, since there are no control groups.
    cat > "$folder/slurm.conf" << CONF
ClusterName=test
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
MinJobAge=3600
KillWait=2
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmdSpoolDir=$folder/spool
StateSaveLocation=$folder/state
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$host CPUs=$cores RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=500
CONF
    ln -s "$folder/slurm.conf" $conf
    if [ ! -s /run/munge/munged.pid ] || ! kill -0 "$(cat /run/munge/munged.pid)" 2> /dev/null; then
        runuser -u munge -- /usr/sbin/munged --pid-file=/run/munge/munged.pid
        cp /run/munge/munged.pid "$folder/munged.pid"
    fi
    /usr/sbin/slurmctld -f "$folder/slurm.conf"
    /usr/sbin/slurmd -f "$folder/slurm.conf" -N "$host"
    for _ in $(seq 30); do
        sinfo --noheader --format %T 2> /dev/null | grep -q idle && return
        sleep 1
    done
    echo "the node did not become idle: see $folder/slurmctld.log and slurmd.log" >&2
    exit 1
}

case $1 in
    up) start || { stop; exit 1; } ;;
    down) stop ;;
    *) echo "usage: $0 up|down FOLDER" >&2; exit 2 ;;
esac
