import { createServer } from 'node:net'
import { once } from 'node:events'
import type { Config } from '../config.ts'
import { fail, ok, type Finding } from './finding.ts'
import { isServer } from './is-server.ts'

/** Whether the port is free, or Keywright itself has it. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  const name = 'port'
  const code = await tryListening(host, port)
  const where = `${host}:${port}`
  if (code === null) return ok(name, `${where} is free`)
  if (code === 'EADDRINUSE') {
    if (await isServer(`http://${host.includes(':') ? `[${host}]` : host}:${port}`))
      return ok(name, `Keywright answers on ${where}`)
    return fail(name, `${where} is used by something else`, 'Stop that, or set PORT.')
  }
  if (code === 'EACCES') return fail(name, `this user may not use ${where}`, 'Set PORT above 1023.')
  return fail(name, `this machine has no address ${host} (${code})`, 'Set HOST.')
}

async function tryListening(host: string, port: number): Promise<string | null> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    server.close()
  }
}
