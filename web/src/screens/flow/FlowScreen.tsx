export default function FlowScreen({ name }: { name: string | null }) {
  return <main>{name}</main>;
}
