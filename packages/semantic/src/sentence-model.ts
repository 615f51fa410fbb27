/** Sentence models, which map a text to a vector that represents its meaning. */
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

/** Names of a model's files, which must be in one folder. */
export const MODEL_FILES = ['model.onnx', 'tokenizer.json'] as const

/** Maximum number of tokens per text. Most models were not trained on longer texts, which also take more time. */
const MOST_TOKENS = 256
/** Maximum number of characters to tokenise. A token has about four, so this is ample for `MOST_TOKENS`. */
const MOST_CHARACTERS = 16 * MOST_TOKENS

/** Maps texts to vectors that can be compared with each other. */
export interface SentenceModel {
  /** Hash of the model's files. Vectors of different models cannot be compared. */
  readonly fingerprint: string
  /** Returns the vector of a text, normalized to length 1 unless it is zero, or an empty array if there are no tokens. */
  embed(text: string): Promise<Float32Array>
}

/**
 * Loads `model.onnx` and `tokenizer.json` from a folder. Reads no other files and does not access the network.
 * @throws Error if a file or a package is missing, or the model is not a sentence model
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
      // Embed one text at a time, since not every runtime allows concurrent runs of a session.
      const vector = last.then(() => embed(text, { runtime, tokenizer, session }))
      last = vector.catch(() => {})
      return vector
    },
  }
}

/** Input tensors of sentence models, by name. Each function maps a token id to the value at the token's position. */
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

/** Truncates token ids to `MOST_TOKENS`, but keeps the last one, which marks the end of the text. */
function shortened(ids: readonly number[]): readonly number[] {
  if (ids.length <= MOST_TOKENS) return ids
  return [...ids.slice(0, MOST_TOKENS - 1), ids.at(-1) as number]
}

/** Returns the sum of all token vectors, which has the direction of their mean. */
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
