import { originFrom, type ReadingOptions, tokenFrom, waysWithoutPath } from '@worldwright/serve/open'
import {
  count,
  type Io,
  jsonText,
  say,
  styled,
  UsageFault,
  visible,
  writeLine,
} from '@worldwright/serve/terminal'
import { ADVICE, type Advice, type ProxyKind } from '../doctor/advice.ts'
import type { Finding } from '../doctor/deployment.ts'
import { examine } from '../doctor/examine.ts'
import { createProber } from '../doctor/probe.ts'

/** Command-line flags of `world doctor`. */
export interface DoctorOptions extends Omit<ReadingOptions, 'names'> {
  readonly proxy?: ProxyKind
}

/** Prints each finding with its fix. Returns exit code 1 if there are any. */
export async function doctor(typed: string, options: DoctorOptions, io: Io): Promise<number> {
  const url = URL.parse(originFrom(typed))
  if (url === null) throw new UsageFault(`${typed} is not the address of a world.`)
  if (url.pathname !== '/')
    say(
      io,
      `A world needs a host name of its own: ${url.origin} is examined, without ${visible(url.pathname)}.`,
    )
  const { findings: seen, proxy } = await examine(url.origin, tokenFrom(options, io), createProber(io.signal))
  // What is wrong is then the address, and not the proxy that forwards the path alone.
  const what = `${visible(url.href)} has a path. ${visible(waysWithoutPath(url))}`
  const isBelow = ({ name }: Finding) => url.pathname !== '/' && name === 'not_the_world'
  const findings = seen.map((one): Finding => (isBelow(one) ? { name: 'path', what } : one))
  const before = options.proxy ?? proxy
  if (options.json) {
    const listed = findings.map((finding) => ({ ...finding, ...adviceOn(finding, url.origin) }))
    await writeLine(
      io.stdout,
      jsonText({ origin: url.origin, ...(before && { proxy: before }), findings: listed }, 2),
    )
  } else {
    for (const finding of findings) {
      for (const line of findingLines(finding, adviceOn(finding, url.origin), before, io))
        await writeLine(io.stdout, line)
    }
  }
  if (findings.length === 0) say(io, styled(io.stderr, 'green', `${url.origin}: nothing is wrong.`))
  else say(io, `${url.origin}: ${count(findings.length, 'finding')}.`)
  return findings.length === 0 ? 0 : 1
}

function adviceOn({ name }: Finding, origin: string): Advice {
  const advice: Advice = ADVICE[name]
  return { ...advice, ...(advice.world && { world: advice.world.replace('{origin}', origin) }) }
}

function* findingLines(
  { name, what }: Finding,
  { world, proxies = {} }: Advice,
  proxy: ProxyKind | undefined,
  io: Io,
): Generator<string> {
  yield `${styled(io.stdout, ['bold', 'red'], name)}  ${visible(what)}`
  if (world !== undefined) yield `  world: ${world}`
  for (const [one, setting] of Object.entries(proxies)) {
    if (proxy === undefined || one === proxy) yield `  ${one}: ${setting}`
  }
}
