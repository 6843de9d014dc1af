/** Whether something is of the sandbox of its product (environment 1), and not of production (0). */
export const isSandbox = (environment: 0 | 1): boolean => environment === 1
