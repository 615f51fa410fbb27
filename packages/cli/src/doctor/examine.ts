import type { ConnectOptions } from '@worldwright/client'
import { ADDRESS_CHECKS } from './address-checks.ts'
import type { ProxyKind } from './advice.ts'
import { ANSWER_CHECKS } from './answer-checks.ts'
import { type Check, type Deployment, type Finding, proxyOf } from './deployment.ts'
import { type Prober, Unreachable } from './probe.ts'
import { reach } from './reach.ts'
import { REQUEST_CHECKS } from './request-checks.ts'

/** Result of examining a deployment. */
export interface Diagnosis {
  /** Faults that were found; empty if there are none. */
  readonly findings: readonly Finding[]
  /** Proxy in front of the world, if it identifies itself. */
  readonly proxy?: ProxyKind
}

/** Runs the checks one after the other, to keep the load low. Writes nothing to the world. */
export async function examine(origin: string, access: ConnectOptions, probe: Prober): Promise<Diagnosis> {
  const { deployment, first, findings } = await reach(origin, access, probe)
  const proxy = first && proxyOf(first)
  const further: Finding[] = []
  if (deployment) {
    for (const check of [...ADDRESS_CHECKS, ...ANSWER_CHECKS, ...REQUEST_CHECKS])
      further.push(...(await outcome(check, deployment)))
  }
  return { findings: [...findings, ...further], ...(proxy && { proxy }) }
}

/** Runs a check, and reports a broken connection as a finding. */
async function outcome(check: Check, deployment: Deployment): Promise<Finding[]> {
  try {
    return await check(deployment)
  } catch (error) {
    if (error instanceof Unreachable)
      return [{ name: 'unreachable', what: `A connection broke while it was looked at: ${error.message}.` }]
    throw error
  }
}
