/**
 * Writes what is generated from `docs/spec/rules.json`: the sentences that the kit prints, and the vectors beside the
 * rules. `npm run spec` writes them; a test says whether they are current.
 */
import { readFile, writeFile } from 'node:fs/promises'

/** A rule as far as it is read here. */
export interface SpecRule {
  readonly id: string
  readonly text: string
}

const SPEC = new URL('../../../../docs/spec/', import.meta.url)

/** The rules of `docs/spec/rules.json`, in their order. */
export async function readRules(): Promise<SpecRule[]> {
  return JSON.parse(await readFile(new URL('rules.json', SPEC), 'utf8')).rules
}

/** Every generated file, by its URL: the text that it has to hold. */
export function specFiles(rules: readonly SpecRule[]): Map<string, string> {
  const sentences = Object.fromEntries(rules.map(({ id, text }) => [id, text]))
  return new Map([[new URL('../spec/sentences.json', import.meta.url).href, json(sentences)]])
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

if (import.meta.main)
  for (const [url, text] of specFiles(await readRules())) await writeFile(new URL(url), text)
