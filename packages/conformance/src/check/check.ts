/** The shape of a check, and its five outcomes. */

/** Rules that are judged: the literal ones of Level 1, or the project's decisions as well. */
export type Profile = 'level-1' | 'full'

/** One check. `Context` is the object that it works with: a world under test, or a stage for a client. */
export interface Check<Context> {
  /** A rule of the specification and a letter: `L1-routes-1.a`. */
  readonly id: string
  /** Every rule that this check covers; the one in its id comes first. */
  readonly rules: readonly string[]
  readonly profile: Profile
  /** The demand, in one line. */
  readonly demands: string
  /** Resolves if the demand is met; otherwise throws `Failure`, `Warning`, `NotAsked` or `NotApplicable`. */
  run(context: Context): Promise<void>
}

/** A request and its answer as text, cut to a sensible length. */
export interface Recorded {
  readonly request: string
  readonly response: string
}

/** One run of a client under test. */
export interface RecordedRun {
  readonly command: string
  readonly exit: string
  readonly stdout: string
  readonly stderr: string
}

/**
 * Outcome of a check. `warning`: the specification allows it, and other programs may trip over it. `not-asked`: the kit
 * could not check. `not-applicable`: the kit checked, and nothing here is subject to the rule.
 */
export type Outcome = 'pass' | 'warning' | 'fail' | 'not-asked' | 'not-applicable'

/** Result of one check, with its time. */
export interface CheckResult {
  readonly id: string
  readonly rules: readonly string[]
  readonly profile: Profile
  readonly demands: string
  /** The rule in the words of the specification. */
  readonly sentence: string
  readonly outcome: Outcome
  /** The finding, or the reason for the lack of one; absent on a pass. */
  readonly reason?: string
  /** If not asked: the option that enables the check, such as `--type`. */
  readonly option?: string
  /** If not asked: the id of the check that must pass first. */
  readonly after?: string
  /** On a failure: the requests that were sent, with their answers. */
  readonly exchanges?: readonly Recorded[]
  /** On a failure of a client: the commands that were run. */
  readonly runs?: readonly RecordedRun[]
  readonly milliseconds: number
}

/** The demand is not met. */
export class Failure extends Error {
  override readonly name: string = 'Failure'
  readonly exchanges: readonly Recorded[]
  readonly runs: readonly RecordedRun[]

  constructor(reason: string, exchanges: readonly Recorded[] = [], runs: readonly RecordedRun[] = []) {
    super(reason)
    this.exchanges = exchanges
    this.runs = runs
  }
}

/** A finding that is allowed, but a trap for other programs. */
export class Warning extends Failure {
  override readonly name = 'Warning'
}

/** The kit checked, and nothing here is subject to the rule. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** Remedy for a check that could not be asked: an option of the caller, or another check that passes. */
export interface Remedy {
  readonly option?: string
  readonly after?: string
}

/** The kit could not check; the message says what is missing. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked'
  readonly remedy: Remedy

  constructor(reason: string, remedy: Remedy = {}) {
    super(reason)
    this.remedy = remedy
  }
}

/** A check, as `defineCheck` returns it. */
export interface DefinedCheck<Context> extends Check<Context> {
  /** Returns the same check, covering these rules as well. */
  also(...rules: string[]): Check<Context>
}

/** Defines a check of the rule in its id. Throws TypeError for an id that names no rule. */
export function defineCheck<Context>(
  id: string,
  demands: string,
  run: (context: Context) => Promise<void>,
): DefinedCheck<Context> {
  const rule = /^((?:L1-[a-z]+|D\d+)-\d+)\.[a-z]$/.exec(id)?.[1]
  if (rule === undefined) throw new TypeError(`The id of a check is a rule and a letter; it is ${id}`)
  const profile = rule.startsWith('L1-') ? 'level-1' : 'full'
  const check: Check<Context> = { id, rules: [rule], profile, demands, run }
  return { ...check, also: (...rules) => ({ ...check, rules: [rule, ...rules] }) }
}
