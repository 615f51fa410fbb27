/** Everything, or one type, as NDJSON from one snapshot, while it is read. */
import type { WorldRequest, WorldResponse } from '../handler/http.ts'
import { splitTarget } from '../handler/routes.ts'
import { ndjsonExport } from '../publish/export/ndjson-export.ts'
import type { Storage } from '../storage/contract.ts'
import type { World } from '../world/world.ts'
import { withWriteTimeout } from './idle-timeout.ts'

/** The answer to an export; `?type=` names one type. @throws WorldFault `invalid_type`, `unknown_type` */
export async function exportResponse(
  request: WorldRequest,
  world: World,
  storage: Storage,
): Promise<WorldResponse> {
  const type = new URLSearchParams(splitTarget(request.target).query).get('type') ?? undefined
  if (type !== undefined) await world.requireType(type)
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', vary: 'Authorization' },
    body: request.method === 'HEAD' ? '' : withWriteTimeout(ndjsonExport(storage, type)),
  }
}
