/** The packages that run models: optional ones, installed beside the server for search by meaning. */

/** As much of ONNX Runtime as is used here; its package for Node and the one for WebAssembly are alike. */
export interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options?: object): Promise<Session> }
  readonly Tensor: new (type: 'int64', values: BigInt64Array, dimensions: readonly number[]) => Tensor
  readonly env: { readonly wasm: { numThreads?: number } }
}

/** Numbers, row by row, with how many there are along each dimension. */
export interface Tensor {
  readonly dims: readonly number[]
  readonly data: ArrayLike<number | bigint>
}

/** A model that is loaded. */
export interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

/** From text to the numbers that a model reads. */
export interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] }
}

/** The first that is installed is taken: native code, then WebAssembly, which is several times slower. */
const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web/wasm'] as const
const TOKENIZERS = '@huggingface/tokenizers'

/** Loads a runtime. @throws Error that names what is to be installed */
export async function loadRuntime(): Promise<Runtime> {
  for (const name of RUNTIMES) {
    const runtime = await installed<Runtime>(name)
    // One thread: others of this machine are for searches and requests.
    if (runtime) runtime.env.wasm.numThreads = 1
    if (runtime) return runtime
  }
  throw new Error('Meaning needs the package onnxruntime-node or onnxruntime-web: install one of them.')
}

/** Makes a tokeniser from the text of a `tokenizer.json`. @throws Error where the package is missing, or it cannot be read */
export async function loadTokenizer(json: string): Promise<Tokenizer> {
  const tokenizers = await installed<{ Tokenizer: new (json: object, config: object) => Tokenizer }>(
    TOKENIZERS,
  )
  if (!tokenizers) throw new Error(`Meaning needs the package ${TOKENIZERS}: install it.`)
  return new tokenizers.Tokenizer(JSON.parse(json), {})
}

async function installed<Module>(name: string): Promise<Module | undefined> {
  try {
    return await import(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}
