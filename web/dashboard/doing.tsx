export * from '../ui/doing.tsx'
