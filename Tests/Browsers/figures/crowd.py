"""Many viewers in processes of their own, that count the frames which reach each of them.

A process waits for all its connections at once, and looks no further into frames than where they end;
how much of a processor it takes is told, so that one can see whether the viewers were too slow.
"""

import multiprocessing
import os
import select
import time

from viewer import frame_length, open_socket

spawn = multiprocessing.get_context("spawn")


class Crowd:
    """So many viewers, in so many processes, on those processors."""

    def __init__(self, door, count, processes=1, processors=None):
        shares = [count // processes + (index < count % processes) for index in range(processes)]
        self.pipes = []
        self.processes = []
        for share in shares:
            pipe, other = spawn.Pipe()
            process = spawn.Process(target=watch, args=(door, share, other, processors), daemon=True)
            process.start()
            self.pipes.append(pipe)
            self.processes.append(process)
        self._answers()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.join()

    def count(self, seconds):
        """How many frames came to each, and the seconds of processor time of the busiest process."""
        self._tell("start")
        time.sleep(seconds)
        self._tell("stop")
        answers = self._answers()
        return [frames for counts, _ in answers for frames in counts], max(cpu for _, cpu in answers)

    def _tell(self, order):
        for pipe in self.pipes:
            try:
                pipe.send(order)
            except BrokenPipeError:
                pass  # its last answer says why it has ended

    def _answers(self):
        answers = [pipe.recv() for pipe in self.pipes]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers


def watch(door, count, pipe, processors):
    try:
        count_frames(door, count, pipe, processors)
    except (AssertionError, OSError) as error:
        pipe.send(error)


def count_frames(door, count, pipe, processors):
    if processors:
        os.sched_setaffinity(0, processors)
    connections, frames, rest = {}, {}, {}
    epoll = select.epoll()
    for _ in range(count):
        connection, received = open_socket(door)
        number = connection.fileno()
        connections[number], frames[number], rest[number] = connection, 0, received
        epoll.register(number, select.EPOLLIN)
    epoll.register(pipe.fileno(), select.EPOLLIN)
    pipe.send("connected")
    while True:
        for number, _ in epoll.poll():
            if number == pipe.fileno():
                if pipe.recv() == "start":
                    start = time.process_time()
                    frames = dict.fromkeys(frames, 0)
                else:
                    pipe.send((list(frames.values()), time.process_time() - start))
                continue
            data = os.read(number, 1 << 16)
            if not data:
                raise AssertionError("the server has closed a connection")
            if rest[number]:
                data = rest[number] + data
            end = 0
            while (length := frame_length(data[end:end + 10])) and end + length <= len(data):
                end += length
                frames[number] += 1
            rest[number] = data[end:]
