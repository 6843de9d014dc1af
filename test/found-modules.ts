import { registerHooks } from 'node:module'

// For `node --import`: says on standard output what each import of a module is found as, and of what kind it is.
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    process.stdout.write(`${JSON.stringify([context.parentURL, specifier, found.url, found.format])}\n`)
    return found
  },
})
