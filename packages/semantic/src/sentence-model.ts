/** Sentence models: they map a text to a vector of its meaning. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  loadRuntime,
  loadTokenizer,
  type Runtime,
  type Session,
  type Tensor,
  type Tokenizer,
} from './runtime.ts'

/** Files of a model, in a folder of their own, as such models are published. */
export const MODEL_FILES = ['model.onnx', 'tokenizer.json'] as const

/** Maximum tokens read of a text: most such models were trained with no more, and time grows with their number. */
const MOST_TOKENS = 256
/** Maximum characters tokenised: a token has about four, so this is plenty for `MOST_TOKENS` of them. */
const MOST_CHARACTERS = 16 * MOST_TOKENS

/** Maps texts to vectors that can be compared with each other. */
export interface SentenceModel {
  /** Hash of the model's files: vectors of different models cannot be compared. */
  readonly fingerprint: string
  /** Returns the direction of a text, a vector of length 1; all zeros if the model gives none. */
  embed(text: string): Promise<Float32Array>
}

/**
 * Loads `model.onnx` and `tokenizer.json` of a folder. Reads no other file, and nothing from the network.
 * @throws Error if a file or a package is missing, or the model is of another kind
 */
export async function loadSentenceModel(folder: string): Promise<SentenceModel> {
  const [model, tokens] = await Promise.all(MODEL_FILES.map((name) => readFile(join(folder, name))))
  if (model === undefined || tokens === undefined) throw new Error(`no model in ${folder}`)
  const runtime = await loadRuntime()
  const tokenizer = await loadTokenizer(tokens.toString())
  const session = await runtime.InferenceSession.create(model)
  const strange = session.inputNames.find((name) => !Object.hasOwn(INPUTS, name))
  if (strange !== undefined)
    throw new Error(`${folder}: the model asks for ${strange}: it is no sentence model`)
  const fingerprint = createHash('sha256').update(model).update(tokens).digest('base64url')
  let last: Promise<unknown> = Promise.resolve()
  return {
    fingerprint,
    embed(text) {
      // One text at a time: not every runtime allows concurrent runs of one session.
      const vector = last.then(() => embed(text, { runtime, tokenizer, session }))
      last = vector.catch(() => {})
      return vector
    },
  }
}

/** Inputs of sentence models by name: each maps the id of a token to the value at its position. */
const INPUTS: Readonly<Record<string, (id: number) => bigint>> = {
  input_ids: BigInt,
  attention_mask: () => 1n,
  token_type_ids: () => 0n,
}

interface Parts {
  readonly runtime: Runtime
  readonly tokenizer: Tokenizer
  readonly session: Session
}

async function embed(text: string, { runtime, tokenizer, session }: Parts): Promise<Float32Array> {
  const ids = shortened(tokenizer.encode(text.slice(0, MOST_CHARACTERS).toWellFormed()).ids)
  if (ids.length === 0) return new Float32Array(0)
  const inputs = session.inputNames.map((name) => {
    const at = INPUTS[name] as (id: number) => bigint
    return [name, new runtime.Tensor('int64', BigInt64Array.from(ids, at), [1, ids.length])] as const
  })
  const outputs = await session.run(Object.fromEntries(inputs))
  const whole = outputs['sentence_embedding']
  return unit(whole ? Float32Array.from(whole.data, Number) : meanOf(outputs[session.outputNames[0] ?? '']))
}

/** Truncates to `MOST_TOKENS`. The last token is kept: it marks the end of the text. */
function shortened(ids: readonly number[]): readonly number[] {
  if (ids.length <= MOST_TOKENS) return ids
  return [...ids.slice(0, MOST_TOKENS - 1), ids.at(-1) as number]
}

/** Sums the vectors of all tokens, which gives the direction of their mean. */
function meanOf(output: Tensor | undefined): Float32Array {
  const width = output?.dims.at(-1) ?? 0
  const sum = new Float32Array(width)
  const values = output?.data ?? []
  for (let at = 0; at < values.length; at++)
    sum[at % width] = (sum[at % width] as number) + Number(values[at])
  return sum
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : vector.fill(0)
}
