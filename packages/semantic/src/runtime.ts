/** Loads the optional packages that run models. Operators install them to enable search by meaning. */

/** Part of the ONNX Runtime API that is the same in its packages for Node.js and WebAssembly. */
export interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options?: object): Promise<Session> }
  readonly Tensor: new (type: 'int64', values: BigInt64Array, dimensions: readonly number[]) => Tensor
  readonly env: { readonly wasm: { numThreads?: number } }
}

/** Array of numbers in row-major order, with the size of each dimension. */
export interface Tensor {
  readonly dims: readonly number[]
  readonly data: ArrayLike<number | bigint>
}

/** A model that has been loaded into a runtime. */
export interface Session {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>
}

/** Converts text to the token ids that a model reads. */
export interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] }
}

/** Runtimes in order of preference: native code, then WebAssembly, which is several times slower. */
const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web/wasm'] as const
const TOKENIZERS = '@huggingface/tokenizers'

/** Loads the first installed runtime. @throws Error that names the packages to install */
export async function loadRuntime(): Promise<Runtime> {
  for (const name of RUNTIMES) {
    const runtime = await installed<Runtime>(name)
    // Use one thread, and leave the others for searches and requests.
    if (runtime) runtime.env.wasm.numThreads = 1
    if (runtime) return runtime
  }
  throw new Error('Meaning needs the package onnxruntime-node or onnxruntime-web: install one of them.')
}

/** Creates a tokeniser from the text of `tokenizer.json`. @throws Error if the package is missing or the text is invalid */
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
