/** Defines checks and their five possible outcomes. */

/** Set of rules to check: only the literal rules of Level 1, or the project's decisions as well. */
export type Profile = 'level-1' | 'full'

/** A single check. `Context` is the object under test: a world, or a stage for a client. */
export interface Check<Context> {
  /** Id of the check: the id of a rule in the specification, followed by a dot and a letter, as in `L1-routes-1.a`. */
  readonly id: string
  /** Ids of all rules that this check covers, starting with the rule named in `id`. */
  readonly rules: readonly string[]
  readonly profile: Profile
  /** Required behaviour, in one line. */
  readonly demands: string
  /** Resolves if the demand is met; otherwise rejects with `Failure`, `Warning`, `NotAsked` or `NotApplicable`. */
  run(context: Context): Promise<void>
}

/** A request and its response as text, truncated to a readable length. */
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
 * Outcome of a check. `warning`: the specification allows the behaviour, but it may break other programs. `not-asked`:
 * the kit could not run the check. `not-applicable`: nothing in this world is subject to the rule.
 */
export type Outcome = 'pass' | 'warning' | 'fail' | 'not-asked' | 'not-applicable'

/** Result of one check, with its duration. */
export interface CheckResult extends Omit<Check<never>, 'run'> {
  /** Text of the rule in the specification. */
  readonly sentence: string
  readonly outcome: Outcome
  /** The finding, or the reason why the check was not run or does not apply. Absent if the check passed. */
  readonly reason?: string
  /** Option whose absence prevented the check from running, such as `--type`. */
  readonly option?: string
  /** Id of the check that must pass first, if that is why this check was not run. */
  readonly after?: string
  /** Requests behind a failure or a warning, with their responses. */
  readonly exchanges?: readonly Recorded[]
  /** Runs of the client behind a failure. */
  readonly runs?: readonly RecordedRun[]
  readonly milliseconds: number
}

/** Thrown if the required behaviour was not observed. */
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

/** Thrown for behaviour that is allowed but may break other programs. */
export class Warning extends Failure {
  override readonly name = 'Warning'
}

/** Thrown if nothing in this world is subject to the rule. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable'
}

/** Remedy for a check that was not run: an option to give, or another check that must pass first. */
export interface Remedy {
  readonly option?: string
  readonly after?: string
}

/** Thrown if the kit cannot run a check; the message names the missing information. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked'
  readonly remedy: Remedy

  constructor(reason: string, remedy: Remedy = {}) {
    super(reason)
    this.remedy = remedy
  }
}

/** A check as returned by `defineCheck`, with a method that returns a copy covering more rules. */
export interface DefinedCheck<Context> extends Check<Context> {
  /** Returns a copy of this check that also covers `rules`. */
  also(...rules: string[]): Check<Context>
}

/** Defines a check for the rule that `id` names. Throws TypeError unless `id` is a rule id, a dot and a letter. */
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
