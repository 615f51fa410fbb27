/** Writes a tiny sentence model to `model.onnx` and `tokenizer.json`, for tests. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Word vectors. The first number represents animals and the second machines. Other words map to the zero vector. */
const WORDS: Readonly<Record<string, readonly [number, number]>> = {
  '[PAD]': [0, 0],
  '[UNK]': [0, 0],
  '[CLS]': [0, 0],
  '[SEP]': [0, 0],
  cat: [1, 0],
  dog: [0.9, 0.1],
  '##s': [0, 0],
  car: [0, 1],
  engine: [0.1, 0.9],
}

/** Writes the model files. `shift` swaps the numbers of each vector, which results in a different model. */
export async function writeTinyModel(folder: string, shift = false): Promise<void> {
  await writeFile(join(folder, 'model.onnx'), onnx(shift))
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(TOKENIZER))
}

const vocab = Object.fromEntries(Object.keys(WORDS).map((word, at) => [word, at]))
const special = (token: string) => ({ SpecialToken: { id: token, type_id: 0 } })
const TOKENIZER = {
  version: '1.0',
  added_tokens: [],
  normalizer: { type: 'BertNormalizer', lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
    pair: [],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }]),
    ),
  },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab,
  },
}

/** Encodes a graph with one operation that looks up each token's row in a table. Field numbers are from `onnx.proto3`. */
function onnx(shift: boolean): Buffer {
  const rows = Object.values(WORDS).flatMap(([first, second]) => (shift ? [second, first] : [first, second]))
  const gather = message(
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  )
  const table = message(
    number(1, rows.length / 2),
    number(1, 2),
    number(2, FLOAT),
    text(8, 'table'),
    field(9, Buffer.from(new Float32Array(rows).buffer)),
  )
  const graph = message(
    field(1, gather),
    text(2, 'tiny'),
    field(5, table),
    field(11, value('input_ids', INT64, ['batch', 'tokens'])),
    field(11, value('attention_mask', INT64, ['batch', 'tokens'])),
    field(12, value('last_hidden_state', FLOAT, ['batch', 'tokens', 2])),
  )
  return message(number(1, 8), field(8, number(2, 17)), field(7, graph))
}

const FLOAT = 1
const INT64 = 7

function value(name: string, kind: number, dimensions: readonly (string | number)[]): Buffer {
  const shape = dimensions.map((each) => field(1, typeof each === 'number' ? number(1, each) : text(2, each)))
  return message(text(1, name), field(2, field(1, message(number(1, kind), field(2, message(...shape))))))
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields)
}

function number(at: number, each: number): Buffer {
  return Buffer.concat([varint(at << 3), varint(each)])
}

function text(at: number, each: string): Buffer {
  return field(at, Buffer.from(each))
}

function field(at: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((at << 3) | 2), varint(bytes.length), bytes])
}

function varint(each: number): Buffer {
  const bytes: number[] = []
  let left = each
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  return Buffer.from([...bytes, left])
}
