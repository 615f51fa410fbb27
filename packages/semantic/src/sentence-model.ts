/** A sentence model: from a text to the vector of what it means. */
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

/** The files of a model, in a folder of their own, as such models are published. */
export const MODEL_FILES = ['model.onnx', 'tokenizer.json'] as const

/** What follows is not read: most such models were trained with no more, and time grows with it. */
const MOST_TOKENS = 256
/** A token has some four characters; this is plenty for `MOST_TOKENS` of them. */
const MOST_CHARACTERS = 16 * MOST_TOKENS

/** What turns texts into vectors that can be compared with each other. */
export interface SentenceModel {
  /** Differs for other files: vectors of different models cannot be compared. */
  readonly fingerprint: string
  /** The direction of a text, a vector of length 1; all zeros where the model says nothing. */
  embed(text: string): Promise<Float32Array>
}

/**
 * Loads `model.onnx` and `tokenizer.json` of a folder. Reads nothing else, and nothing from elsewhere.
 * @throws Error where a file or a package is missing, or the model is of another kind
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
      // One after the other: not every runtime lets two texts through one session at a time.
      const vector = last.then(() => embed(text, { runtime, tokenizer, session }))
      last = vector.catch(() => {})
      return vector
    },
  }
}

/** What sentence models ask for, by the value of a token at each place. */
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

/** The last token ends the text: it stays. */
function shortened(ids: readonly number[]): readonly number[] {
  if (ids.length <= MOST_TOKENS) return ids
  return [...ids.slice(0, MOST_TOKENS - 1), ids.at(-1) as number]
}

/** The mean of the vectors of all tokens. */
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
