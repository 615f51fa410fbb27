/** Implements the command-line interface of the kit, which `world check` calls. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isInOrder, type Judged, judge, readBaseline, summarise } from './check/baseline.ts'
import type { Check, CheckResult, Profile } from './check/check.ts'
import { selectChecks } from './check/select.ts'
import { checkClient } from './check-client.ts'
import { checkServer, type ServerOptions, silenceOf } from './check-server.ts'
import { clientScenarios } from './client/scenarios.ts'
import { jsonReporter } from './report/json-report.ts'
import { junitReporter } from './report/junit-report.ts'
import { reportFiles, writeReport } from './report/report-files.ts'
import type { Reporter, Subject } from './report/reporter.ts'
import { textReporter } from './report/text-report.ts'
import { serverChecks } from './server/checks.ts'
import type { WorldFacts } from './server/facts.ts'
import { parseNames, readProfile } from './server/given-names.ts'
import { RULES_VERSION } from './spec/sentences.ts'

/** Output streams and environment of the command. The Node.js `process` object fits; a stream is any object with `write`. */
export interface CheckIo {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  /** Environment variables, of which only WORLD_TOKEN is read. Default: empty. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Aborts the run; the exit code is then 1. */
  readonly signal?: AbortSignal
}

/** Exit codes. 0: success. 1: failures, nothing checked, or interrupted. 2: wrong usage. */
export type CheckExitCode = 0 | 1 | 2

const USAGE = `Usage: check ORIGIN [options]
       check --client COMMAND [options]

Check a world/0.1 server by its address, or a client by its command.

Options:
  --profile NAME         full (default); or level-1, for its literal rules only
  --only IDS             checks or rules, comma-separated; * is a wildcard
  --list                 list the checks instead of running them
  --format NAME          text (default), json or junit
  --json                 the same as --format=json
  --report DIR           also write report.json, report.html and badge.svg into
                         this folder, to publish them
  --baseline FILE        ids of checks that are known to fail, one per line
  --strict               fail if a check could not be asked
  --slow                 also run the checks that need long waits
  --version              print the versions of the kit and of the rules
  -h, --help             show help

Options for a server:
  --type TYPE            an entity type of the world
  --id ID                the id of an entity of this type
  --missing-id ID        an id that no entity of this type has
  --names LIST           names of members that the kit does not recognize, as
                         entities=page.data,cursor=after; cursor=header:NAME is
                         a header (entities, found, cursor, total, entity, type,
                         id, title, summary, attributes, world, worldName,
                         types, actions)
  --profile-file FILE    reading profile with such names, a file or a URL; see
                         show --profile
  --token TOKEN          for worlds that need one (WORLD_TOKEN)
  --token-origin ORIGIN  another origin of the API; repeatable
  --retired-prefix PATH  a path below which the API once was

Examples:
  npx worldwright check https://sol.example --profile level-1
  npx worldwright check https://sol.example --report public/conformance
  npx worldwright check --client "python3 my_client.py"
`

const OPTIONS = {
  client: { type: 'string' },
  profile: { type: 'string', default: 'full' },
  only: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  format: { type: 'string', default: 'text' },
  json: { type: 'boolean' },
  report: { type: 'string' },
  baseline: { type: 'string' },
  strict: { type: 'boolean' },
  slow: { type: 'boolean' },
  type: { type: 'string' },
  id: { type: 'string' },
  'missing-id': { type: 'string' },
  names: { type: 'string' },
  'profile-file': { type: 'string' },
  token: { type: 'string' },
  'token-origin': { type: 'string', multiple: true },
  'retired-prefix': { type: 'string' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

class Misuse extends Error {}

type Values = ReturnType<typeof parse>['values']

/** Runs the command and returns its exit code. `argv` contains the arguments after the command's own name. */
export async function check(argv: readonly string[], io: CheckIo): Promise<CheckExitCode> {
  try {
    const { values, positionals } = parse(argv)
    if (values.help) {
      io.stdout.write(USAGE)
      return 0
    }
    if (values.version) {
      io.stdout.write(`kit ${kitVersion()}\nrules ${RULES_VERSION}\n`)
      return 0
    }
    const run = prepare(values, positionals, io, await knowledge(values, io))
    const baseline = new Set(await given(values.baseline, (file) => readBaseline(file, run.known)))
    if (values.list) {
      for (const { id, demands, rules } of run.checks)
        io.stdout.write(`${id.padEnd(18)} ${demands} [${rules.join(', ')}]\n`)
      return 0
    }
    const silence = await run.silence()
    if (silence !== undefined && !io.signal?.aborted) {
      io.stderr.write(`Nothing was checked, since ${run.subject.name} does not answer: ${silence}.\n`)
      io.stderr.write('Check the address, and whether the world is being served.\n')
      return 1
    }
    return await report(run, baseline, io)
  } catch (thrown) {
    if (!(thrown instanceof Misuse) && !isArgumentError(thrown)) throw thrown
    io.stderr.write(`${thrown.message}${suggestion(thrown.message)}\n\n${USAGE}`)
    return 2
  }
}

function parse(argv: readonly string[]) {
  return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
}

function isArgumentError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS')
}

/** Returns a hint that suggests a similar option if `message` reports an unknown option; otherwise an empty string. */
function suggestion(message: string): string {
  const [, typed = ''] = /^Unknown option '--([\w-]+)'/.exec(message) ?? []
  const meant = Object.keys(OPTIONS).find((name) => name.startsWith(typed.slice(0, 3)))
  return typed.length >= 3 && meant !== undefined ? `\nDid you mean --${meant}?` : ''
}

function kitVersion(): string {
  // The file is next to both `src` and `dist`.
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

interface Prepared {
  readonly subject: Subject
  /** Returns the reason why nothing can be checked, or undefined if checks can run. */
  readonly silence: () => Promise<string | undefined>
  readonly checks: readonly Check<never>[]
  /** Ids of all checks for the role, selected or not. */
  readonly known: ReadonlySet<string>
  readonly reporter: Reporter
  readonly results: (onFacts: (facts: WorldFacts) => void) => AsyncIterable<CheckResult>
  /** Folder for a report, if one is wanted. */
  readonly folder: string | undefined
  /** If true, a single `not-asked` check fails the run. */
  readonly strict: boolean
}

function prepare(
  values: Values,
  positionals: readonly string[],
  io: CheckIo,
  known: ServerOptions,
): Prepared {
  const { client, profile } = values
  const [origin, ...others] = positionals
  if (others.length > 0) throw new Misuse(`There is one argument too many: ${others[0]}`)
  if (profile !== 'level-1' && profile !== 'full') throw new Misuse(`There is no profile ${profile}.`)
  if (client !== undefined && origin !== undefined)
    throw new Misuse('A server and a client are checked separately.')
  const all: readonly Check<never>[] = client === undefined ? serverChecks : clientScenarios
  const only = values.only?.flatMap((part) => part.split(',')).filter((part) => part !== '')
  const selection = { profile: profile as Profile, ...(only && { only }) }
  const checks = selectChecks(all, selection)
  if (checks.length === 0) throw new Misuse('No check is left to run.')
  const name = client ?? originFrom(origin, values.list === true)
  const common = { ...selection, slow: values.slow === true, ...(io.signal && { signal: io.signal }) }
  const subject: Subject = {
    name,
    role: client === undefined ? 'server' : 'client',
    ...selection,
    checks: checks.length,
    kit: kitVersion(),
    rules: RULES_VERSION,
    date: new Date().toISOString(),
  }
  return {
    subject,
    silence: async () => (client === undefined ? silenceOf(name, io.signal) : undefined),
    checks,
    known: new Set(all.map((one) => one.id)),
    reporter: reporterFor(values, subject),
    strict: values.strict === true,
    folder: values.report,
    results: (onFacts) =>
      client === undefined
        ? checkServer(name, { ...common, ...known, onFacts })
        : checkClient(client, common),
  }
}

/** Reads the server options from the arguments and the environment. */
async function knowledge(values: Values, { env }: CheckIo): Promise<ServerOptions> {
  const { type, id, token = env?.['WORLD_TOKEN'] } = values
  const named = {
    type,
    id,
    token,
    tokenOrigins: values['token-origin']?.map((typed) => originFrom(typed, false)),
    missingId: values['missing-id'],
    names: await given(values.names, parseNames),
    reading: await given(values['profile-file'], readProfile),
    retiredPrefix: values['retired-prefix'],
  } satisfies { [Option in keyof ServerOptions]?: ServerOptions[Option] | undefined }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

/** Reads the value of an option, if it is given. Throws Misuse if it is malformed. */
async function given<Value>(text: string | undefined, read: (text: string) => Value) {
  try {
    return text === undefined ? undefined : await read(text)
  } catch (thrown) {
    throw new Misuse((thrown as Error).message)
  }
}

/** Returns the origin named by `typed`. The scheme defaults to http for loopback hosts, and to https for all others. */
function originFrom(typed: string | undefined, listing: boolean): string {
  if (typed === undefined) {
    if (listing) return ''
    throw new Misuse('Name the origin of a world, or a command with --client.')
  }
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/.test(typed)
  const full = /^[a-z]+:\/\//i.test(typed) ? typed : `${loopback ? 'http' : 'https'}://${typed}`
  const url = URL.parse(full)
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Misuse(
      `An origin is scheme, host and port, such as https://world.example; this is none: ${typed}`,
    )
  return url.origin
}

function reporterFor(values: Values, subject: Subject): Reporter {
  const format = values.json ? 'json' : values.format
  if (format === 'json') return jsonReporter(subject)
  if (format === 'junit') return junitReporter(subject)
  if (format === 'text') return textReporter()
  throw new Misuse(`There is no format ${format}.`)
}

async function report(
  { subject, results, reporter, strict, folder }: Prepared,
  baseline: ReadonlySet<string>,
  io: CheckIo,
): Promise<0 | 1> {
  const judged: Judged[] = []
  let facts: WorldFacts | undefined
  const unwritten = async () => {
    if (folder === undefined) return undefined
    const written = writeReport(folder, reportFiles(subject, judged, facts))
    return written.then(
      () => undefined,
      (cause) => `The report cannot be written: ${cause.message}. Name a folder that can be written.`,
    )
  }
  // Until the run ends, the files say that it was cut short: even a killed run leaves no older verdict behind.
  const fault = await unwritten()
  if (fault !== undefined) throw new Misuse(fault)
  for await (const result of results((found) => (facts = found))) {
    const one = judge(result, baseline)
    judged.push(one)
    const text = reporter.result(one)
    if (text !== '') io.stdout.write(text)
  }
  const trouble = (await unwritten()) ?? (io.signal?.aborted ? 'Interrupted.' : undefined)
  if (trouble !== undefined) {
    io.stderr.write(`${trouble}\n`)
    return 1
  }
  const summary = summarise(judged)
  io.stdout.write(reporter.end(judged, summary, facts))
  return isInOrder(summary, { strict }) ? 0 : 1
}
