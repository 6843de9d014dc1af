import { registerHooks } from 'node:module'

// For `node --import`: at its end the process says on standard error which packages it has loaded.
const packages = new Set<string>()
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
    if (name !== undefined) packages.add(name)
    return nextLoad(url, context)
  },
})
process.on('exit', () => void process.stderr.write(`${JSON.stringify({ packages: [...packages] })}\n`))
