// Pages, lookups and searches over the lists in files/lists/, which plain files cannot provide.
// biome-ignore lint/style/useNodejsImportProtocol: nginx has a module of this name, and is not Node.
import fs from 'fs'

const TYPES = ['si:prefix', 'si:unit']
const PAGE = 10
const MAX_PAGE = 25

function send(r, status, body) {
  r.headersOut['Content-Type'] = status < 400 ? 'application/json' : 'application/problem+json'
  r.return(status, JSON.stringify(body))
}

function fail(r, status, code, message) {
  send(r, status, { type: `https://units.example/problems/${code}`, status, code, message })
}

const nothing = (r) => fail(r, 404, 'nothing-here', 'There is nothing at this path.')
const method = (r) => fail(r, 405, 'method', 'This works with another method.')
const failed = (r) => fail(r, 400, 'bad-request', 'nginx could not take this request.')

function listOf(r, type) {
  return JSON.parse(fs.readFileSync(`${r.variables.world_files}${type}.json`, 'utf8'))
}

function list(r, type) {
  const all = listOf(r, type)
  const limit = r.args.limit === undefined ? String(PAGE) : r.args.limit
  const cursor = r.args.cursor
  if (!/^[0-9]+$/.test(limit)) return fail(r, 400, 'limit', 'limit is a whole number of 0 or more.')
  const start = cursor === undefined ? 0 : all.findIndex((one) => cursor === `${type}/${one.symbol}`)
  if (start < 0) return fail(r, 400, 'cursor', 'No list here gives this cursor.')
  const end = start + Math.min(Number(limit), MAX_PAGE)
  const page = { data: all.slice(start, end), of: all.length }
  if (end > start && end < all.length) page.cursor = `${type}/${all[end].symbol}`
  send(r, 200, page)
}

function one(r, type, id) {
  const found = listOf(r, type).find((entity) => entity.symbol === id)
  if (found) send(r, 200, found)
  else fail(r, 404, 'no-such-entity', `There is no ${type} of this symbol.`)
}

function discover(r) {
  let input
  try {
    input = JSON.parse(r.requestText).input
  } catch (error) {
    return fail(r, 400, 'json', `The body is not JSON: ${error.message}`)
  }
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    return fail(r, 400, 'input', 'The body has an object named input.')
  const types =
    input.types && input.types.length > 0 ? TYPES.filter((type) => input.types.includes(type)) : TYPES
  const words = String(input.text || '')
    .toLowerCase()
    .split(/\s+/)
  const limit = Math.min(Number.isInteger(input.limit) && input.limit >= 0 ? input.limit : PAGE, MAX_PAGE)
  const hits = types
    .reduce((all, type) => all.concat(listOf(r, type)), [])
    .filter((entity) => {
      const text = `${entity.heading} ${entity.measures || ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  send(r, 200, { outcome: hits.slice(0, limit).map((entity) => [entity]) })
}

function answer(r) {
  const parts = r.variables.request_uri.split('?')[0].slice('/si/'.length).split('/')
  const room = parts[0]
  let type
  let id
  try {
    type = decodeURIComponent(parts[1] || '')
    id = parts[2] === undefined ? undefined : decodeURIComponent(parts[2])
  } catch (error) {
    return fail(r, 400, 'escape', `An escape in the path is broken: ${error.message}`)
  }
  const isRead = room === 'entities' && (parts.length === 2 || parts.length === 3)
  const isDiscover = room === 'actions' && type === 'wp:discover' && parts.length === 2
  if (!isRead && !isDiscover) return nothing(r)
  if (isDiscover ? r.method !== 'POST' : r.method !== 'GET' && r.method !== 'HEAD') return method(r)
  if (isDiscover) return discover(r)
  if (!TYPES.includes(type)) return fail(r, 404, 'no-such-type', 'This world has no such type.')
  return id === undefined ? list(r, type) : one(r, type, id)
}

export default { answer, nothing, method, failed }
