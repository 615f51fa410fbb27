/** What a definition has to keep to, each rule with the words it is refused in. */
import { typeFault } from '@worldwright/client/protocol'
import { surveyValue, type ValueSurvey } from './json-value.ts'
import { typeFaultText } from './record.ts'

/** One thing wrong, and where it stands. */
export interface CheckFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

type Path = CheckFault['path']
type Members = Readonly<Record<string, unknown>>
/** Says what is wrong with a value. */
type Check = (value: unknown, path: Path) => CheckFault[]

/** Everything wrong with a definition as it was parsed; nothing at all where it can be used. */
export function definitionFaults(value: unknown): CheckFault[] {
  return members(value, [], {
    id: absoluteUri,
    name: text,
    description: text,
    types: list(type, uniqueTypes),
    sources: list(source),
    publicUrl: text,
    apiUrl: text,
    trustProxy: truth,
    host: text,
    port,
    store: text,
  })
}

function type(value: unknown, path: Path): CheckFault[] {
  return members(value, path, { type: typeName, title: text, description: text, schema }, ['type'])
}

function source(value: unknown, path: Path): CheckFault[] {
  if (typeof value === 'string') return fileName(value, path)
  return members(value, path, { file: fileName, type: typeName }, ['file'])
}

function members(
  value: unknown,
  path: Path,
  checks: Record<string, Check>,
  required: string[] = [],
): CheckFault[] {
  if (!isObject(value)) {
    const whole = path.length === 0 ? 'a definition' : 'this'
    return [{ path, message: `${whole} must be an object with ${Object.keys(checks).join(', ')}` }]
  }
  const faults = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path, message: `${name} is missing` }))
  for (const name of Object.keys(value)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (check) faults.push(...check(value[name], [...path, name]))
    else
      faults.push({
        path: [...path, name],
        message: `is unknown; known are ${Object.keys(checks).join(', ')}`,
      })
  }
  return faults
}

function list(check: Check, whole: Check = () => []): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return [{ path, message: 'must be a list' }]
    return [...value.flatMap((element, index) => check(element, [...path, index])), ...whole(value, path)]
  }
}

function uniqueTypes(value: unknown, path: Path): CheckFault[] {
  const seen = new Set<unknown>()
  return (value as unknown[]).flatMap((element, index) => {
    const name = isObject(element) ? element['type'] : undefined
    if (typeof name !== 'string') return []
    if (seen.has(name))
      return [{ path: [...path, index, 'type'], message: `${name} is described more than once` }]
    seen.add(name)
    return []
  })
}

function typeName(value: unknown, path: Path): CheckFault[] {
  if (typeof value !== 'string') return [{ path, message: 'must be a string such as sol:planet' }]
  const fault = typeFault(value)
  if (fault) return [{ path, message: typeFaultText(fault) }]
  return value.startsWith('wp:') ? [{ path, message: "the prefix wp is the protocol's own" }] : []
}

const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/

function absoluteUri(value: unknown, path: Path): CheckFault[] {
  if (typeof value === 'string' && ABSOLUTE_URI.test(value)) return []
  return [{ path, message: 'must be an absolute URI, such as https://sol.example/ or urn:uuid:…' }]
}

function schema(value: unknown, path: Path): CheckFault[] {
  if (!isObject(value)) return [{ path, message: 'must be a JSON Schema: an object' }]
  const survey: ValueSurvey = { faults: [], bytesAtMost: 0 }
  surveyValue(value, '', survey)
  return survey.faults.map(({ pointer, message }) => ({
    path: [...path, ...pointer.split('/').slice(1).map(unescaped)],
    message,
  }))
}

function text(value: unknown, path: Path): CheckFault[] {
  if (typeof value !== 'string') return [{ path, message: 'must be a string' }]
  return value.isWellFormed() && !value.includes('\0')
    ? []
    : [{ path, message: 'holds what is no character' }]
}

function fileName(value: unknown, path: Path): CheckFault[] {
  return typeof value === 'string' && value !== '' ? [] : [{ path, message: 'must be the name of a file' }]
}

function truth(value: unknown, path: Path): CheckFault[] {
  return typeof value === 'boolean' ? [] : [{ path, message: 'must be true or false' }]
}

function port(value: unknown, path: Path): CheckFault[] {
  const isPort = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535
  return isPort ? [] : [{ path, message: 'must be a whole number from 0 to 65535' }]
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
