# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm of one's own: a controller and a node daemon on this machine, for the time of a test.

Everything it has lies in one folder: configuration, state, spool, logs. It listens on two free ports of the
loopback device and needs neither munge nor accounting, so it meets no other Slurm of the machine. The node
declares more CPUs than there may be: jobs are allowed to share them. A job of more ranks than these CPUs is refused
when it is submitted; without EnforcePartLimits it would wait for ever.

At the end all jobs are cancelled, and exactly the daemons that were started are stopped, by their ids; so are
shepherds of jobs (slurmstepd) that were left over, known by the name of the node, which is unique. When the
test itself is killed the daemons end with it.
"""
import contextlib
import ctypes
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import h5py

CONFIGURATION = """\
ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
EnforcePartLimits=ALL
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
JobRequeue=1
KillWait=60
MinJobAge=3600
MaxArraySize=5
PropagateResourceLimits=NONE
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={node_port} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP
"""
PATIENCE = 1200  # seconds, for a machine that is busy with something else


def require_installed():
    for name in ("slurmctld", "slurmd", "sbatch", "scontrol"):
        if shutil.which(name, path=search_path()) is None:
            raise RuntimeError(f"{name} is not installed (Debian: apt-get install slurm-wlm slurm-wlm-basic-plugins)")


def search_path():
    """The daemons are in folders that users may not have in their paths."""
    return os.environ["PATH"] + ":/usr/local/sbin:/usr/sbin:/sbin"


def wait_until(condition, what, patience=PATIENCE, pause=0.2):
    """Waits for a true value of condition() and returns it."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {patience} s: {what() if callable(what) else what}")
        time.sleep(pause)
    return value


def num_complete_frames(path):
    """Of a result that is being written; 0 while it is not there or just being changed."""
    try:
        with h5py.File(path, "r", locking=False) as file:
            return int(file["ricochet/complete"][0]["frames"])
    except (OSError, KeyError, RuntimeError):
        return 0


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def die_with_parent():
    """In a child before it becomes another program: the kernel ends it when the test is gone."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class PrivateSlurm:
    """with PrivateSlurm(cpus) as slurm: run scripts with slurm.environment."""

    def __init__(self, cpus=4):
        require_installed()
        self._temporary = tempfile.TemporaryDirectory(prefix="slurm-")
        self.folder = pathlib.Path(self._temporary.name)
        self.node = f"private{os.getpid()}"
        self._daemons = []
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        controller_port, node_port = free_ports(2)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=self.folder, node=self.node,
            cpus=cpus, controller_port=controller_port, node_port=node_port))
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
        self.environment = {**inherited, "SLURM_CONF": str(configuration), "PATH": search_path()}

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        try:
            self._start_daemon("slurmctld", "-D", "-f", self.environment["SLURM_CONF"])
            self._wait_for_daemon(lambda: "is UP" in self.ask("scontrol", "ping"))
            self._start_daemon("slurmd", "-D", "-f", self.environment["SLURM_CONF"], "-N", self.node)
            self._wait_for_daemon(lambda: self.ask("sinfo", "-h", "-o", "%T").strip() == "idle")
        except BaseException:
            self.stop()
            raise

    def stop(self):
        if len(self._daemons) == 2:
            self.ask("scancel", "--user", getpass.getuser())
            with contextlib.suppress(TimeoutError):
                wait_until(lambda: not self.ask("squeue", "-h", "--states=all", "-o", "%T").count("ING"), "", 30)
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self._daemons = []
        for process in self._leftover_shepherds():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._temporary.cleanup()

    def ask(self, *command):
        """What a Slurm command prints, whether or not it succeeds."""
        process = subprocess.run(command, capture_output=True, text=True, env=self.environment, timeout=PATIENCE)
        return process.stdout

    def job(self, job_id):
        """The fields of `scontrol show job`."""
        text = self.ask("scontrol", "--oneliner", "show", "job", str(job_id))
        return dict(word.split("=", 1) for word in text.split() if "=" in word)

    def wait_for_job(self, job_id, patience=3 * PATIENCE):
        """Waits until the job has ended for good and returns its fields. A requeued job, which Slurm holds back
        for two minutes, is told to start; not at once, because within the same second the node would take it
        for the job that has just been ended."""
        hurried = set()

        def ended():
            fields = self.job(job_id)
            state, restarts = fields.get("JobState"), int(fields.get("Restarts", 0))
            if state == "PENDING" and restarts > 0 and restarts not in hurried:
                hurried.add(restarts)
                self.ask("scontrol", "update", f"JobId={job_id}", "StartTime=now+3")
            return fields if state in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL") else None
        return wait_until(ended, lambda: f"the end of job {self.job(job_id)}\n{self.logs()}", patience)

    def logs(self):
        """The ends of the daemons' logs, for messages."""
        return "\n".join("\n".join([path.name, *path.read_text().splitlines()[-15:]])
                         for path in [*self.folder.glob("*.out"), *self.folder.glob("*.log")])

    def _start_daemon(self, *command):
        with open(self.folder / f"{command[0]}.out", "w") as output:
            self._daemons.append(subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                preexec_fn=die_with_parent))

    def _wait_for_daemon(self, condition):
        def has_ended_or_is_ready():
            if self._daemons[-1].poll() is not None:
                raise RuntimeError(f"{self._daemons[-1].args[0]} ended\n{self.logs()}")
            return condition()
        wait_until(has_ended_or_is_ready, self.logs)

    def _leftover_shepherds(self):
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                process, command = int(entry.name), (entry / "cmdline").read_bytes()
                if b"slurmstepd" in command and f"SLURM_CONF={self.environment['SLURM_CONF']}".encode() in (
                        entry / "environ").read_bytes().split(b"\0"):
                    yield process
