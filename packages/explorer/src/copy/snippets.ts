/** Code snippets that repeat a request of the page, in four forms. */
import type { JsonObject } from '@worldwright/client'

/** A request that snippets can express. */
export type Read =
  | { readonly kind: 'entity'; readonly type: string; readonly id: string }
  | { readonly kind: 'action'; readonly name: string; readonly input: JsonObject }

/** The four snippets, by the tool that runs them. */
export type Snippets = Readonly<ReturnType<typeof snippetsFor>>

/** Address of the world to which the snippets send their request. */
export interface Address {
  readonly origin: string
  /** The world's `endpoints.api`, unchanged. */
  readonly api: string
  /** True if the world requires a token. Snippets take it from `WORLD_TOKEN` in the environment and never contain it. */
  readonly isPrivate: boolean
}

/** Returns the snippets for a request to a world. */
export function snippetsFor(read: Read, { origin, api, isPrivate }: Address) {
  const url = (api.endsWith('/') ? api : `${api}/`) + routeOf(read)
  const body = read.kind === 'action' ? JSON.stringify({ input: read.input }) : undefined
  return {
    curl: curlText(url, body, isPrivate),
    fetch: fetchText(url, body, isPrivate),
    client: clientText(read, origin, isPrivate),
    world: `${worldText(read, origin)}${isPrivate ? ' --token "$WORLD_TOKEN"' : ''}`,
  }
}

function routeOf(read: Read): string {
  if (read.kind === 'action') return `actions/${encodeURIComponent(read.name)}`
  return `entities/${encodeURIComponent(read.type)}/${encodeURIComponent(read.id)}`
}

function curlText(url: string, body: string | undefined, isPrivate: boolean): string {
  // The header is in double quotes, so that the shell expands the variable.
  const token = isPrivate ? `-H "Authorization: Bearer $WORLD_TOKEN" ` : ''
  const head = `curl -H 'Accept: application/json' ${token}${shell(url)}`
  if (body === undefined) return head
  return `${head} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shell(body)}`
}

function fetchText(url: string, body: string | undefined, isPrivate: boolean): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the snippet itself contains the template literal.
  const token = isPrivate ? ', Authorization: `Bearer ${process.env.WORLD_TOKEN}`' : ''
  const headers = `Accept: 'application/json'${token}`
  const options =
    body === undefined
      ? `{ headers: { ${headers} } }`
      : `{\n  method: 'POST',\n  headers: { ${headers}, 'Content-Type': 'application/json' },\n  body: ${literal(body)},\n}`
  return `const response = await fetch(${literal(url)}, ${options})\nconsole.log(await response.json())`
}

function clientText(read: Read, origin: string, isPrivate: boolean): string {
  const token = isPrivate ? ', { token: process.env.WORLD_TOKEN }' : ''
  return [
    `import { connect } from '@worldwright/client'`,
    '',
    `const world = await connect(${literal(origin)}${token})`,
    `console.log(await ${callOf(read)})`,
  ].join('\n')
}

function callOf(read: Read): string {
  if (read.kind === 'entity') return `world.get(${literal(read.type)}, ${literal(read.id)})`
  const input = literalSafe(JSON.stringify(read.input))
  return read.name === 'wp:discover'
    ? `world.discover(${input})`
    : `world.action(${literal(read.name)}, ${input})`
}

/** Returns a Python program that sends a query. The program needs no packages. */
export function pythonText(name: string, input: JsonObject, { api, isPrivate }: Address): string {
  const url = (api.endsWith('/') ? api : `${api}/`) + routeOf({ kind: 'action', name, input })
  const token = isPrivate ? ', "Authorization": "Bearer " + os.environ["WORLD_TOKEN"]' : ''
  return [
    `import json, ${isPrivate ? 'os, ' : ''}urllib.request`,
    '',
    `body = ${literal(JSON.stringify({ input }))}`,
    `headers = {"Content-Type": "application/json", "Accept": "application/json"${token}}`,
    `request = urllib.request.Request(${literal(url)}, body.encode(), headers)`,
    'print(json.load(urllib.request.urlopen(request))["output"])',
  ].join('\n')
}

/** Returns a statement with which DuckDB reads a CSV file. */
export function duckdbText(url: string): string {
  return `SELECT * FROM read_csv('${url.replaceAll("'", "''")}');`
}

function worldText(read: Read, origin: string): string {
  const command = 'npx worldwright'
  if (read.kind === 'entity') return `${command} get ${origin} ${shell(read.type)} ${shell(read.id)} --json`
  if (read.name !== 'wp:discover')
    return `${command} call ${origin} ${shell(read.name)} --input ${shell(JSON.stringify(read.input))}`
  return `${command} discover ${origin}${discoverWords(read.input)}`
}

function discoverWords({ text, types, limit }: JsonObject): string {
  const words = typeof text === 'string' && text !== '' ? ` ${shell(text)}` : ''
  const filters = Array.isArray(types) ? types.map((type) => ` --type ${shell(String(type))}`).join('') : ''
  return `${words}${filters}${typeof limit === 'number' ? ` --limit ${limit}` : ''}`
}

/** Quotes text as one POSIX shell word. Invisible characters are not escaped, since `$'…'` is not POSIX. */
function shell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function literal(text: string): string {
  const inner = literalSafe(JSON.stringify(text)).slice(1, -1)
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const UNSEEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Escapes characters in JSON that would be invisible or would reorder the displayed text. */
function literalSafe(json: string): string {
  return json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
