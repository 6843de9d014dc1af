import { methodCall, type Rule } from './rule.ts'

/** Time comes from the context's clock (`docs/decisions.md` 5.10). */
export const noSystemTime: Rule = {
  create(context) {
    const message = "Take the time from the context's clock."
    return {
      NewExpression(node) {
        const isDate = node.callee.type === 'Identifier' && node.callee.name === 'Date'
        if (isDate && node.arguments.length === 0) context.report({ node, message })
      },
      CallExpression(node) {
        const call = methodCall(node)
        const object = call ? call.object : node.callee
        if (object.type !== 'Identifier' || object.name !== 'Date') return
        if (!call || call.name === 'now') context.report({ node, message })
      },
    }
  },
}
