/** Validates attributes against JSON Schema (2020-12) with `ajv`. */
import { type FieldFault, type JsonObject, type JsonValue, pointerTo } from '@worldwright/client/protocol'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats, { type FormatName } from 'ajv-formats'
import type { RecordFault } from '../json-text.ts'
import type { Validator, Verdict } from '../schema-validator.ts'
import { LIMIT_MS, matcherOf, mayBlock, withinLimit } from './bounded.ts'
import { UNIQUE_ITEMS } from './unique-items.ts'
import { unsupportedIn } from './unsupported.ts'

/** Thrown if a schema is invalid, uses an unsupported feature, or refers to another document. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault'
  /** Pointer into the schema (RFC 6901). */
  readonly pointer: string

  constructor(message: string, pointer: string, options?: ErrorOptions) {
    super(message, options)
    this.pointer = pointer
  }
}

/** Maximum number of faults in a verdict, as in a response (decisions 5). */
const MAX_FAULTS = 20

const FINE: Verdict = { faults: [], warnings: [] }
const TOO_LONG: Verdict = {
  faults: [{ pointer: '', reason: 'not_allowed', message: 'takes too long to hold against the schema' }],
  warnings: [],
}

const { default: addFormats } = formats

/** Formats of 2020-12 that `ajv-formats` implements. Each of them is checked in a single pass. */
const FORMATS: FormatName[] = [
  ...(['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri'] as const),
  ...(['uri-reference', 'uri-template', 'uuid', 'json-pointer', 'relative-json-pointer', 'regex'] as const),
]

/**
 * Compiles a schema. As in 2020-12, `format` is an annotation: a mismatch is a warning, not a fault. Unknown keywords
 * are ignored. References are resolved only within the schema; nothing is fetched. If validating a value takes more than
 * `limitMs` of processor time, the verdict is a fault.
 * @throws SchemaFault
 */
export function createValidator(schema: JsonObject | boolean, limitMs = LIMIT_MS): Validator {
  const [unsupported] = unsupportedIn(schema)
  if (unsupported) throw new SchemaFault(unsupported.message, unsupported.pointer)
  const check = compile(schema, false)
  const formatCheck = holdsFormat(schema) ? compile(schema, true) : undefined
  const validate = (value: JsonValue): Verdict => {
    if (!check(value)) return { faults: faultsOf(check.errors), warnings: [] }
    if (formatCheck === undefined || formatCheck(value)) return FINE
    return { faults: [], warnings: faultsOf(formatCheck.errors) }
  }
  return mayBlock(schema) ? (value) => withinLimit(() => validate(value), limitMs) ?? TOO_LONG : validate
}

function compile(schema: JsonObject | boolean, validateFormats: boolean): ValidateFunction {
  metaSchema ??= new Ajv2020({ strict: false, logger: false })
  try {
    if (!metaSchema.validateSchema(schema)) {
      const [first] = metaSchema.errors ?? []
      const why = first?.message ?? 'it breaks the 2020-12 meta-schema'
      throw new SchemaFault(`this is no JSON Schema: ${why}`, first?.instancePath ?? '')
    }
    // Use a separate instance per schema, since two types may have schemas with the same $id.
    const ajv = new Ajv2020({
      strict: false,
      validateSchema: false,
      allErrors: true,
      validateFormats,
      // Verbose errors contain the value, which distinguishes 1.5 from "a" if an integer is required.
      verbose: true,
      logger: false,
      ownProperties: true,
      code: { regExp: MATCHERS },
    })
    ajv.removeKeyword('uniqueItems')
    ajv.addKeyword(UNIQUE_ITEMS)
    if (validateFormats) addFormats(ajv, { mode: 'full', formats: FORMATS })
    return ajv.compile(schema)
  } catch (cause) {
    if (cause instanceof SchemaFault) throw cause
    const why = cause instanceof RangeError ? 'its $id and $ref lead in a circle' : (cause as Error).message
    throw new SchemaFault(why, '', { cause })
  }
}

/** Ajv requires the member `code`, but uses it only to generate source code. */
const MATCHERS = Object.assign(matcherOf, { code: '' })

/** Cached, because compiling the meta-schema takes longer than compiling most schemas. */
let metaSchema: Ajv2020 | undefined

/** Converts Ajv errors to faults in the protocol's terms, without duplicates and at most MAX_FAULTS of them. */
export function faultsOf(errors: readonly ErrorObject[] | null | undefined): RecordFault[] {
  const faults: RecordFault[] = []
  const seen = new Set<string>()
  for (const error of errors ?? []) {
    // Skip keywords that only repeat a nested failure, which has an error of its own.
    if (error.keyword === 'if' || error.keyword === '$ref') continue
    const fault = { pointer: pointerOf(error), reason: reasonOf(error), message: messageOf(error) }
    const key = JSON.stringify(fault)
    if (seen.has(key)) continue
    seen.add(key)
    if (faults.push(fault) === MAX_FAULTS) break
  }
  return faults
}

function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  const named =
    keyword === 'required' || keyword === 'dependentRequired'
      ? params['missingProperty']
      : (params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName'])
  return typeof named === 'string' ? pointerTo(instancePath, named) : instancePath
}

type Reason = FieldFault['reason']

const REASONS: Readonly<Record<string, Reason>> = {
  required: 'required',
  dependentRequired: 'required',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  minLength: 'too_small',
  minItems: 'too_small',
  minProperties: 'too_small',
  contains: 'required',
  maxLength: 'too_long',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  pattern: 'malformed',
  format: 'malformed',
  multipleOf: 'malformed',
  uniqueItems: 'repeated',
}

function reasonOf({ keyword, params, data }: ErrorObject): Reason {
  if (keyword !== 'type') return REASONS[keyword] ?? 'not_allowed'
  const wanted: unknown = params['type']
  const wantsInteger = wanted === 'integer' || (Array.isArray(wanted) && wanted.includes('integer'))
  return wantsInteger && typeof data === 'number' ? 'not_integer' : 'wrong_type'
}

function messageOf({ keyword, params, message = 'breaks the schema' }: ErrorObject): string {
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'is missing'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not in the schema, which allows nothing further'
    case 'enum':
      return `must be one of ${JSON.stringify(params['allowedValues'])}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    default:
      return message
  }
}

function holdsFormat(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return Object.hasOwn(schema, 'format') || Object.values(schema).some(holdsFormat)
}
