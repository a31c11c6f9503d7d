export default function RecordScreen({ name }: { name: string | null }) {
  return <main>{name}</main>;
}
