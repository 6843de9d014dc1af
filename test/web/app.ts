import { startTestApp, type TestApp, type TestOptions } from '../app.ts'
import { built } from './built.ts'

/** A server with built pages that knows the address it listens on, as one that runs does. */
export async function startWebApp(name: string, options: TestOptions = {}): Promise<TestApp> {
  await built()
  const app = await startTestApp(name, options)
  Object.assign(app.ctx, { baseUrl: app.address })
  return app
}
