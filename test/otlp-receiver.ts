/** Collector that receives OTLP over HTTP in Protobuf, and decodes the parts that tests look at. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Lifetime } from './command.ts'

/** A received span. Ids are in hexadecimal. */
export interface ReceivedSpan {
  readonly instance: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Empty if the span has no parent. */
  readonly parent: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly isError: boolean
}

/** A received data point of a metric. A histogram has its count as value, and its buckets. */
export interface ReceivedPoint {
  readonly instance: string
  readonly name: string
  readonly unit: string
  readonly kind: 'gauge' | 'sum' | 'histogram'
  readonly attributes: Readonly<Record<string, string | number>>
  readonly value: number
  readonly buckets?: readonly number[]
  readonly bounds?: readonly number[]
}

/** A running collector, with everything that it has received. */
export interface Receiver {
  readonly url: string
  readonly spans: ReceivedSpan[]
  readonly points: ReceivedPoint[]
  /** All bytes received so far, as Latin-1 text. */
  text(): string
}

/** Starts a collector on a free port until the end of `lifetime`. */
export async function startReceiver(lifetime: Lifetime): Promise<Receiver> {
  const [spans, points, bodies]: [ReceivedSpan[], ReceivedPoint[], Buffer[]] = [[], [], []]
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    bodies.push(body)
    if (request.headers['content-type'] !== 'application/x-protobuf') response.statusCode = 415
    else if (request.url === '/v1/traces') spans.push(...spansIn(body))
    else if (request.url === '/v1/metrics') points.push(...pointsIn(body))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  lifetime.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, points, text: () => bodies.map((body) => body.toString('latin1')).join('\n') }
}

/** Field of a message: its number, and its bytes or, for numbers, the eight bytes of its value. */
type Field = readonly [number: number, bytes: Buffer]

function fields(message: Buffer): Field[] {
  const found: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
  }
  while (at < message.length) {
    const tag = Number(varint())
    const [number, kind] = [tag >> 3, tag & 7]
    if (kind === 0) {
      const value = Buffer.alloc(8)
      value.writeBigUInt64LE(varint())
      found.push([number, value])
    } else {
      const length = kind === 2 ? Number(varint()) : kind === 1 ? 8 : 4
      found.push([number, message.subarray(at, at + length)])
      at += length
    }
  }
  return found
}

/** Returns the values of a field, given by its path of numbers. */
function at(message: Buffer, ...path: readonly number[]): Buffer[] {
  return path.reduce<Buffer[]>(
    (all, number) =>
      all.flatMap((one) => fields(one).flatMap(([no, bytes]) => (no === number ? [bytes] : []))),
    [message],
  )
}

function text(message: Buffer, ...path: readonly number[]): string {
  return at(message, ...path)[0]?.toString() ?? ''
}

function attributesIn(message: Buffer, number: number): Record<string, string | number> {
  return Object.fromEntries(
    at(message, number).map((pair) => {
      const [[kind = 0, bytes = Buffer.alloc(8)] = []] = fields(at(pair, 2)[0] ?? Buffer.alloc(0))
      const value =
        kind === 1 ? bytes.toString() : kind === 4 ? bytes.readDoubleLE() : Number(bytes.readBigInt64LE())
      return [text(pair, 1), value]
    }),
  )
}

function instanceOf(resource: Buffer): string {
  return String(attributesIn(at(resource, 1)[0] ?? Buffer.alloc(0), 1)['service.instance.id'])
}

function spansIn(body: Buffer): ReceivedSpan[] {
  return at(body, 1).flatMap((resource) =>
    at(resource, 2, 2).map((span) => ({
      instance: instanceOf(resource),
      name: text(span, 5),
      traceId: at(span, 1)[0]?.toString('hex') ?? '',
      spanId: at(span, 2)[0]?.toString('hex') ?? '',
      parent: at(span, 4)[0]?.toString('hex') ?? '',
      attributes: attributesIn(span, 9),
      isError: at(span, 15, 3)[0]?.[0] === 2,
    })),
  )
}

const KINDS = [
  ['gauge', 5],
  ['sum', 7],
  ['histogram', 9],
] as const

function pointsIn(body: Buffer): ReceivedPoint[] {
  return at(body, 1).flatMap((resource) =>
    at(resource, 2, 2).flatMap((metric) =>
      KINDS.flatMap(([kind, number]) =>
        at(metric, number, 1).map((point) => {
          const common = {
            instance: instanceOf(resource),
            name: text(metric, 1),
            unit: text(metric, 3),
            kind,
          }
          if (kind !== 'histogram')
            return {
              ...common,
              attributes: attributesIn(point, 7),
              value: at(point, 4)[0]?.readDoubleLE() ?? 0,
            }
          const eights = (field: number) => {
            const packed = Buffer.concat(at(point, field))
            return Array.from({ length: packed.length / 8 }, (_, index) =>
              packed.subarray(index * 8, index * 8 + 8),
            )
          }
          return {
            ...common,
            attributes: attributesIn(point, 9),
            value: Number(at(point, 4)[0]?.readBigUInt64LE() ?? 0),
            buckets: eights(6).map((bytes) => Number(bytes.readBigUInt64LE())),
            bounds: eights(7).map((bytes) => bytes.readDoubleLE()),
          }
        }),
      ),
    ),
  )
}
