import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { boundlessCompileModule, slowCompileModule } from '../support/fixtures/big-modules.ts'
import {
  cleanUpClients,
  clientFile,
  clientNodes,
  runClient,
  runOnTerminal,
  startClient,
} from '../support/client/client.ts'
import { childOf, isAlive, limitOfData, startOf } from '../support/client/client-child.ts'
import { skillHere, skillHereJson } from '../support/client/client-here.ts'
import { projectRoot, temporaryFolder } from '../support/server/command-line.ts'
import { evilModule, evilModules } from '../support/fixtures/evil-modules.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'
import { until } from '../support/wait.ts'

/** Contains NAME.wasm for every module that these tests make. */
let folder: string

const skillFile = (name: string): string => join(projectRoot, 'resources/skills', name, `${name}.wasm`)

/** Writes each of its arguments on a line. */
const echo = `(module
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local $at i32)
    (drop (call $sizes (i32.const 0) (i32.const 4)))
    (drop (call $args (i32.const 16) (i32.const 1024)))
    (loop $next
      (if (i32.eqz (i32.load8_u (i32.add (i32.const 1024) (local.get $at))))
        (then (i32.store8 (i32.add (i32.const 1024) (local.get $at)) (i32.const 10))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $at) (i32.load (i32.const 4)))))
    (i32.store (i32.const 0) (i32.const 1024))
    (i32.store (i32.const 4) (local.get $at))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))))`

/** A module that writes `output` to a stream. */
const writes = (output: string | Buffer, fd = 1, more = ''): string => {
  const bytes = Buffer.from(output)
  const list = escaped(Buffer.from(Uint32Array.of(8, bytes.length).buffer))
  return `(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "${list}${escaped(bytes)}")
  (func (export "_start")
    (drop (call $write (i32.const ${fd}) (i32.const 0) (i32.const 1) (i32.const 4096))) ${more}))`
}

const escaped = (bytes: Buffer): string => bytes.toString('hex').replaceAll(/../g, String.raw`\$&`)

const exits = (code: number): string => `(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1) (func (export "_start") (call $exit (i32.const ${code}))))`

const moduleFile = (name: string): string => join(folder, `${name}.wasm`)

const store = async (name: string, source: string): Promise<void> =>
  writeFileSync(moduleFile(name), await assembleWat(source))

beforeAll(async () => {
  folder = temporaryFolder()
  await Promise.all([
    ...(Object.keys(evilModules) as (keyof typeof evilModules)[]).map(async (name) =>
      writeFileSync(moduleFile(name), await evilModule(name)),
    ),
    store('echo', echo),
    store('exits-7', exits(7)),
    store('exits-256', exits(256)),
    store('complains', writes('wrong line\n', 2, '(unreachable)')),
    store('drives', writes('\u001B[2Jgone\u0007\r\nnext\rover\u202Eevil')),
  ])
  writeFileSync(moduleFile('slow-compile'), slowCompileModule())
  writeFileSync(moduleFile('boundless'), boundlessCompileModule())
  writeFileSync(moduleFile('text'), '(module)')
})
afterAll(cleanUpClients)

describe.each(clientNodes())('a module in a file, with Node $version', ({ node }) => {
  const run = (name: string, args: readonly string[] = []) =>
    runClient(['run', '--wasm', moduleFile(name), ...args], { node })

  test('reads standard input and writes standard output, byte for byte', async () => {
    const input = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7) % 256))
    const { status, bytes, stderr } = await runClient(['run', '--wasm', skillFile('base64-encode')], {
      node,
      stdin: input,
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(bytes.toString().replaceAll('\n', '')).toBe(input.toString('base64'))
  })

  test('gets only the arguments after --', async () => {
    expect(await run('echo', ['--timeout', '60', '--', '--lines', 'two words', ''])).toMatchObject({
      status: 0,
      stdout: 'skill\n--lines\ntwo words\n\n',
    })
  })

  test('a loop is stopped at the time limit, and its earlier output is kept', async () => {
    expect(await run('loop', ['--timeout', '1s'])).toEqual({
      status: 124,
      signal: null,
      stdout: 'hello\n',
      bytes: Buffer.from('hello\n'),
      stderr:
        'skill: loop.wasm was stopped at its time limit of 1 s.\n' +
        'Set a higher limit, such as --timeout 2s\n',
    })
  })

  test('a start function, which never reaches _start, is stopped too', async () => {
    const { status, stderr } = await run('startLoop', ['--timeout', '1'])
    expect(status).toBe(124)
    expect(stderr).toContain('time limit of 1 s')
  })

  test('exceeding the memory limit is distinguished from other traps', async () => {
    expect(await run('grow', ['--timeout', '120'])).toMatchObject({
      status: 125,
      stdout: '',
      stderr:
        'skill: grow.wasm exceeded its memory limit of 64 MiB.\n' +
        'Set a higher limit, such as --memory 128\n',
    })
  })

  test('output is cut at its limit, which can be raised', async () => {
    const { status, bytes, stderr } = await run('flood', ['--output', '1'])
    expect([status, bytes.length]).toEqual([125, 1_048_576])
    expect(stderr).toBe(
      'skill: flood.wasm was stopped: it wrote more than 1 MiB to standard output.\n' +
        'Set a higher limit with --output MIB (at most 64)\n',
    )
    expect((await run('flood', ['--output', '3'])).bytes.length).toBe(3 * 1_048_576)
  })
})

describe('the exit code of a run', () => {
  const run = (name: string, args: readonly string[] = []) =>
    skillHere(['run', '--wasm', moduleFile(name), ...args])

  test.each([
    ['exits-7', 7],
    ['exits-256', 255],
    ['stubbornExit', 3],
    // Calls every function of preview 1.
    ['everything', 42],
    ['sleep', 0],
  ])('of %s is %i', async (name, status) => {
    expect(await run(name)).toMatchObject({ status, stderr: '' })
  })

  test('of a trap is 134, and the message follows the output', async () => {
    expect(await run('complains')).toMatchObject({
      status: 134,
      stderr: 'wrong line\nskill: complains.wasm trapped: unreachable.\n',
    })
    expect(await run('recursion')).toMatchObject({
      status: 134,
      stderr: 'skill: recursion.wasm trapped: call stack exhausted.\n',
    })
    expect(await run('tableGrow')).toMatchObject({ status: 134 })
  })

  test('is 125 for a module with more initial memory than the limit, which can be raised', async () => {
    expect(await run('hugeMinimum')).toMatchObject({
      status: 125,
      stderr:
        'skill: hugeMinimum.wasm was not run. Needs 96 MiB of memory to start, but the limit is 64 MiB.\n' +
        'Set a higher limit, such as --memory 128\n',
    })
    expect(await run('hugeMinimum', ['--memory', '128'])).toMatchObject({ status: 0, stderr: '' })
  })

  test('is 125 for a file that is not a module, for huge tables and for modules that are too expensive to compile', async () => {
    expect(await run('boundless')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('so compiling it could take too long.'),
    })
    expect(await run('text')).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/^skill: text\.wasm was not run\. .*WebAssembly text/),
    })
    expect(await run('tableHuge')).toMatchObject({ status: 125 })
  })
})

describe('the command line', () => {
  test.each([
    [['run'], 2, 'The name of the skill is missing.'],
    [['run', 'CSV'], 2, '"CSV" is not a valid skill name.'],
    [
      ['run', '--wasm', 'x.wasm', '--memory', '0'],
      2,
      '--memory must be a whole number of MiB from 1 to 4096.',
    ],
    [
      ['run', '--wasm', 'x.wasm', '--memory', '4097'],
      2,
      '--memory must be a whole number of MiB from 1 to 4096.',
    ],
    [
      ['run', '--wasm', 'x.wasm', '--output', '65'],
      2,
      '--output must be a whole number of MiB from 1 to 64.',
    ],
    [['run', '--wasm', 'x.wasm', '--timeout', '0'], 2, '--timeout must be a duration such as 90s'],
    [['run', '--wasm', 'x.wasm'], 125, 'x.wasm does not exist.'],
    [['run', '--wasm', '.'], 125, 'is a folder.'],
    [['run', '--wasm', 'x'.repeat(256)], 125, ' has a name that is too long.'],
  ])('%j exits with %i', async (args, status, sentence) => {
    const ended = await skillHere(args)
    expect(ended).toMatchObject({ status, stdout: '' })
    expect(ended.stderr).toContain(sentence)
  })

  test('with --json, everything that was observed is in one document, including the output', async () => {
    const { status, data, stderr } = await skillHereJson(['run', '--wasm', moduleFile('complains')])
    expect([status, stderr]).toEqual([134, ''])
    expect(data).toEqual({
      name: 'complains.wasm',
      version: null,
      end: 'trapped',
      exitCode: null,
      detail: 'unreachable',
      calls: [{ name: 'fd_write', count: 1, refused: 0 }],
      paths: [],
      peakMemoryBytes: 65_536,
      stdoutBytes: 0,
      stderrBytes: 11,
      timeMs: expect.any(Number),
      stdout: { text: '' },
      stderr: { text: 'wrong line\n' },
      message: 'complains.wasm trapped: unreachable.',
    })
    const opened = await skillHereJson(['run', '--wasm', moduleFile('opensFile')])
    expect(opened).toMatchObject({
      status: 0,
      data: { paths: [{ name: 'path_open', path: '/etc/passwd' }], message: null },
    })
  })

  test('with --json, binary output is base64', async () => {
    await store('bytes', writes(Buffer.from([0xff, 0xfe])))
    expect((await skillHereJson(['run', '--wasm', moduleFile('bytes')])).data).toMatchObject({
      stdout: { base64: Buffer.from([0xff, 0xfe]).toString('base64') },
    })
  })
})

describe('an installed skill', () => {
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

  /** A folder with csv-to-json installed. */
  const install = (): string => {
    const root = temporaryFolder()
    const bytes = readFileSync(skillFile('csv-to-json'))
    mkdirSync(join(root, 'skills/csv-to-json'), { recursive: true })
    writeFileSync(join(root, 'skills/csv-to-json/skill.wasm'), bytes)
    const locked = {
      version: '1.0.0',
      sha256: digest(bytes),
      size: bytes.length,
      registry: 'http://127.0.0.1:1',
    }
    writeFileSync(
      join(root, 'skill-lock.json'),
      JSON.stringify({ lockVersion: 1, skills: { 'csv-to-json': locked } }),
    )
    return root
  }

  test('is found from a subfolder, without a registry', async () => {
    const cwd = join(install(), 'a/b')
    mkdirSync(cwd, { recursive: true })
    expect(await skillHere(['run', 'csv-to-json'], { folder: cwd, stdin: 'a,b\n1,2\n' })).toMatchObject({
      status: 0,
      stdout: '[\n  {"a":"1","b":"2"}\n]\n',
      stderr: '',
    })
    const { data } = await skillHereJson(['run', 'csv-to-json'], { folder: cwd, stdin: 'a\n' })
    expect(data).toMatchObject({ name: 'csv-to-json', version: '1.0.0', exitCode: 0 })
  })

  test('is not run if its bytes differ from the locked ones', async () => {
    const root = install()
    const file = join(root, 'skills/csv-to-json/skill.wasm')
    writeFileSync(file, readFileSync(skillFile('rot13')))
    expect(await skillHere(['run', 'csv-to-json'], { folder: root })).toMatchObject({
      status: 125,
      stdout: '',
      stderr:
        'skill: The module of csv-to-json does not match the SHA-256 in skill-lock.json.\n' +
        'Restore the locked module with: skill install\n',
    })
    const bytes = readFileSync(skillFile('csv-to-json'))
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(file, bytes)
    expect(await skillHere(['run', 'csv-to-json'], { folder: root })).toMatchObject({
      status: 125,
      stdout: '',
    })
  })

  test('that is missing: the message says how to install it', async () => {
    const missing = await skillHere(['run', 'rot13'], { folder: install() })
    expect(missing).toMatchObject({ status: 125 })
    expect(missing.stderr).toContain('rot13 is not installed')
    expect(missing.stderr).toContain('Install it with: skill install rot13')
    expect((await skillHere(['run', 'rot13'])).stderr).toContain('No skills are installed')
    const root = install()
    writeFileSync(join(root, 'skill-lock.json'), '{')
    expect(await skillHere(['run', 'csv-to-json'], { folder: root })).toMatchObject({ status: 125 })
  })
})

describe('standard input', () => {
  test('is not waited for if the module cannot read it', async () => {
    const { ended } = startClient(['run', '--wasm', moduleFile('exits-7')], { stdin: null })
    expect(await ended).toMatchObject({ status: 7 })
  })

  test('of more than 64 MiB is refused with a message', async () => {
    const stdin = Buffer.alloc(67_108_865, 'a')
    const ended = await runClient(['run', '--wasm', skillFile('word-count')], { stdin })
    expect(ended).toMatchObject({ status: 125, stdout: '' })
    expect(ended.stderr).toContain('Standard input is larger than 64 MiB, the limit for a run.')
  })
})

const notLinux = process.platform !== 'linux'
const elsewhere = notLinux ? ` (${ALLOWED_SKIPS.otherSystem})` : ''

describe.skipIf(notLinux).each(clientNodes())(
  `the process that runs a module, with Node $version${elsewhere}`,
  ({ version, node }) => {
    const startLoop = async (args: readonly string[] = []) => {
      const client = startClient(['run', '--wasm', moduleFile('loop'), '--timeout', '10m', ...args], {
        node,
        env: { SKILL_TOKEN: 'secret' },
      })
      await until('the module runs', () => client.output.stdout === 'hello\n')
      const child = await childOf(client.child.pid)
      return { ...client, pid: child }
    }

    test('inherits nothing', async () => {
      const { pid, child, ended } = await startLoop()
      const { args, environment, folder: cwd } = startOf(pid)
      // Variables that some shells add by themselves.
      expect(environment.replaceAll(/(?:PWD|OLDPWD|SHLVL|_)=[^\0]*\0/g, '')).toBe('')
      expect(limitOfData(pid)).toBe((256 + 64 + 1024) * 1024 * 1024)
      expect(cwd).toBe('/')
      expect(args).toContainEqual(expect.stringMatching(/^--max-old-space-size=\d+$/))
      const permissionFlags = args.filter((arg) => /^--(?:permission|allow)/.test(arg))
      expect(permissionFlags).toEqual(
        version.startsWith('v20.') ? [] : ['--permission', `--allow-fs-read=${clientFile}`, '--allow-worker'],
      )
      child.kill('SIGINT')
      await ended
    })

    test.each([
      ['SIGINT', 130, null],
      ['SIGTERM', 143, null],
      ['SIGHUP', null, 'SIGHUP'],
      ['SIGKILL', null, 'SIGKILL'],
    ] as const)('ends with the client, when that gets %s', async (signal, status, endedBy) => {
      const { pid, child, ended } = await startLoop()
      child.kill(signal)
      expect(await ended).toMatchObject({ status, signal: endedBy })
      await until('the process is gone', () => !isAlive(pid))
    })

    test('is reported if the system refuses to start it, and no other process is ended', async () => {
      // More files than this program opens, and fewer than it needs for the pipes of another process.
      const script = `ulimit -n 25; "$@" < /dev/null; echo "status $?"`
      const child = spawn(
        '/bin/sh',
        ['-c', script, 'sh', node, clientFile, 'run', '--wasm', moduleFile('loop')],
        {
          // In a process group of its own, which was killed.
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      const [stdout, stderr] = await Promise.all([readText(child.stdout), readText(child.stderr)])
      expect(stdout).toBe('status 125\n')
      expect(stderr).toMatch(
        /^skill: loop\.wasm was not run\. The child process could not be started: spawn .* EMFILE\.$/m,
      )
    })

    test('exits when nothing reads the output', async () => {
      const client = startClient(['run', '--wasm', moduleFile('loop'), '--timeout', '10m'], { node })
      client.child.stdout?.destroy()
      const pid = await childOf(client.child.pid)
      expect(await client.ended).toMatchObject({ status: 0, stderr: '' })
      await until('the process is gone', () => !isAlive(pid))
    })

    test('is stopped at the time limit, even while compiling', async () => {
      const client = startClient(['run', '--wasm', moduleFile('slow-compile'), '--timeout', '1'], { node })
      const pid = await childOf(client.child.pid)
      const { status, stderr } = await client.ended
      expect(status).toBe(124)
      expect(stderr).toContain('time limit of 1 s')
      expect(isAlive(pid)).toBe(false)
    })
  },
)

describe.skipIf(notLinux)(`on a terminal${elsewhere}`, () => {
  test('control characters in output are escaped', async () => {
    const { status, seen } = await runOnTerminal(['run', '--wasm', moduleFile('drives')], {})
    expect(status).toBe(0)
    expect(seen).toBe(String.raw`\u{1b}[2Jgone\u{07}` + '\n' + String.raw`next\u{0d}over\u{202e}evil` + '\n')
  })

  test('control characters are passed on with --raw, and without a terminal', async () => {
    const raw = '\u001B[2Jgone\u0007\r\nnext\rover\u202Eevil'
    const { seen } = await runOnTerminal(['run', '--raw', '--wasm', moduleFile('drives')], {})
    expect(seen).toContain('\u001B[2Jgone\u0007')
    expect(await runClient(['run', '--wasm', moduleFile('drives')])).toMatchObject({ stdout: raw })
  })

  test('a limit is reported on its own line, after the output', async () => {
    const { status, seen } = await runOnTerminal(['run', '--wasm', moduleFile('loop'), '--timeout', '1'], {})
    expect(status).toBe(124)
    expect(seen).toMatch(/^hello\n.*loop\.wasm was stopped at its time limit of 1 s\.\n/)
  })

  test('prompts for input', async () => {
    const { status, seen } = await runOnTerminal(['run', '--wasm', skillFile('rot13')], {
      typed: 'uryyb\n\u0004',
      env: { NO_COLOR: '1' },
    })
    expect(status).toBe(0)
    expect(seen).toContain('Type the input, then press Ctrl+D to end it.\n')
    expect(seen).toContain('hello\n')
  })
})

test('the client does not use the WASI module of Node', () => {
  const text = readFileSync(clientFile, 'utf8')
  expect(text).toContain('wasi_snapshot_preview1')
  expect(text).not.toMatch(/["'`](?:node:)?wasi["'`]|new WASI\b/)
})
