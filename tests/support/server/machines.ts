import { spawnSync } from 'node:child_process'
import { start } from './command-line.ts'
import type { Variables } from './command-line.ts'

/** Whether this process may create network namespaces: as root, and not in every container. */
export const mayCreateNetworks = (): boolean =>
  process.getuid?.() === 0 && spawnSync('unshare', ['--net', 'true']).status === 0

/** Processes in a network namespace of their own, with a real address. */
export interface Machine {
  address: string
  /** Put before a command, runs it on this machine. */
  entry: readonly [string, ...string[]]
  start(command: string, args: string[], variables?: Variables): ReturnType<typeof start>
  /** Stops or continues all processes, as a virtual machine that is suspended. */
  pause(): void
  resume(): void
  /** Ends all processes at once, as a power failure does. */
  kill(): void
  /** Pulls the cable. */
  disconnect(): void
  connect(): void
}

/** A network of this computer, which the test itself is connected to as well. */
export function createNetwork() {
  const id = process.pid % 100_000
  const bridge = `sd${id}`
  const subnet = `10.213.${process.pid % 256}`
  const namespaces: string[] = []
  const ip = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('address', 'add', `${subnet}.254/24`, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  const signal = (namespace: string, name: NodeJS.Signals): void => {
    for (const pid of ip('netns', 'pids', namespace).split('\n').filter(Boolean)) {
      try {
        process.kill(Number(pid), name)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  return {
    /** With a prefix length, as `SKILLDOCK_TRUST_PROXY` wants it. */
    range: `${subnet}.0/24`,
    addMachine(): Machine {
      const number = namespaces.length + 1
      const namespace = `${bridge}-${number}`
      const cable = `${bridge}v${number}`
      const address = `${subnet}.${number}`
      ip('netns', 'add', namespace)
      namespaces.push(namespace)
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
      ip('link', 'set', cable, 'master', bridge, 'up')
      const inside = (...args: string[]): string => ip('-netns', namespace, ...args)
      inside('address', 'add', `${address}/24`, 'dev', 'eth0')
      inside('link', 'set', 'eth0', 'up')
      inside('link', 'set', 'lo', 'up')
      const entry = ['ip', 'netns', 'exec', namespace] as const
      return {
        address,
        entry,
        start: (command, args, variables) =>
          start(entry[0], [...entry.slice(1), command, ...args], variables),
        pause: () => signal(namespace, 'SIGSTOP'),
        resume: () => signal(namespace, 'SIGCONT'),
        kill: () => signal(namespace, 'SIGKILL'),
        disconnect: () => void ip('link', 'set', cable, 'down'),
        connect: () => void ip('link', 'set', cable, 'up'),
      }
    },
    remove(): void {
      for (const namespace of namespaces) {
        signal(namespace, 'SIGKILL')
        ip('netns', 'delete', namespace)
      }
      ip('link', 'delete', bridge)
    },
  }
}
