/** The little of these packages that the tests use: their own types are missing, or ask for a browser's. */
declare module '@php-wasm/node-8-3' {
  export const getPHPLoaderModule: () => Promise<object>
}

declare module '@php-wasm/universal' {
  export const loadPHPRuntime: (loader: object, options: object) => Promise<number>
  export class PHP {
    constructor(runtime: number)
    writeFile(path: string, text: string): void
    run(request: { code: string }): Promise<{ readonly text: string; readonly errors: string }>
    exit(): void
  }
}

declare module 'pyodide' {
  export const loadPyodide: () => Promise<{
    readonly FS: { writeFile(path: string, text: string): void }
    readonly globals: { set(name: string, value: string): void }
    runPython(code: string): string
  }>
}
