export * from '../../ui/Rows.tsx'
