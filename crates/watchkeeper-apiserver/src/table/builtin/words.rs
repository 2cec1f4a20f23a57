//! What the columns of built-in kinds say, in a few words each.

/// What a column of a kind tells.
pub(super) fn describe(kind: &str, column: &str) -> &'static str {
    let of_kind = OF_KIND.iter().find(|(k, c, _)| *k == kind && *c == column);
    let anywhere = || ANYWHERE.iter().find(|(c, _)| *c == column).map(|(_, words)| *words);
    of_kind.map(|(_, _, words)| *words).or_else(anywhere).unwrap_or_default()
}

/// Columns that mean something else, or something narrower, on one kind.
const OF_KIND: &[(&str, &str, &str)] = &[
    ("Pod", "Ready", "Containers that are ready, of all that there are."),
    ("Pod", "Status", "Where the pod is in its life, or what holds it up."),
    ("Pod", "Restarts", "How often containers were started again, and when last."),
    ("Pod", "IP", "The address of the pod."),
    ("Pod", "Node", "The node that the pod runs on."),
    ("Deployment", "Ready", "Pods that are ready, of those wanted."),
    ("StatefulSet", "Ready", "Pods that are ready, of those wanted."),
    ("Scale", "Available", "Pods that there are."),
    ("Service", "Type", "How the service is reached."),
    ("Service", "External-IP", "Addresses that lead here from outside the cluster."),
    ("Service", "Selector", "Labels of the pods behind the service."),
    ("Node", "Status", "Whether the node is ready, and whether it takes new pods."),
    ("Node", "Version", "The version of the kubelet."),
    ("Node", "External-IP", "The address of the node from outside the cluster."),
    ("Namespace", "Status", "Whether the namespace is in use or on its way out."),
    ("ConfigMap", "Data", "How many entries there are."),
    ("Secret", "Data", "How many entries there are."),
    ("Secret", "Type", "What the entries are for."),
    ("PersistentVolume", "Status", "Whether the volume is free, taken or given back."),
    ("PersistentVolume", "Reason", "Why the volume is in this state."),
    ("PersistentVolumeClaim", "Status", "Whether the claim has a volume yet."),
    ("Job", "Status", "Whether the job runs, is done, has failed or is held."),
    ("ControllerRevision", "Controller", "The object whose past this is."),
    ("IngressClass", "Controller", "The controller that serves this class."),
    ("HorizontalPodAutoscaler", "Replicas", "Pods that there are."),
    ("EndpointSlice", "Endpoints", "Addresses in this slice."),
    ("Endpoints", "Endpoints", "Addresses and ports behind the service."),
    ("Ingress", "Ports", "Ports that are served."),
    ("EndpointSlice", "Ports", "Ports of the addresses."),
    ("Event", "Type", "Whether this is normal or a warning."),
    ("Event", "Reason", "What happened, in one word."),
    ("Event", "Name", "The name of the event."),
    ("VolumeAttachment", "Node", "The node that the volume is for."),
    ("APIService", "Available", "Whether the service answers."),
    ("ResourceSlice", "Node", "The node that has the devices."),
    ("ComponentStatus", "Status", "Whether the component is well."),
    ("ComponentStatus", "Message", "What the component says."),
    ("PriorityLevelConfiguration", "Type", "Whether requests of this level are limited."),
];

/// Columns that mean the same everywhere.
const ANYWHERE: &[(&str, &str)] = &[
    ("Name", "The name, unique within kind and namespace."),
    ("Age", "Time since the object was created."),
    ("Created At", "When the object was created."),
    ("Containers", "Names of the containers."),
    ("Images", "Images of the containers."),
    ("Selector", "Which pods belong to it."),
    ("Desired", "Pods that are wanted."),
    ("Current", "Pods that there are."),
    ("Ready", "Pods that are ready."),
    ("Up-to-date", "Pods made from the newest template."),
    ("Available", "Pods that have been ready for long enough."),
    ("Nominated Node", "The node where room is being made for the pod."),
    ("Readiness Gates", "Further conditions of being ready: those met, of all."),
    ("Cluster-IP", "The address inside the cluster."),
    ("Port(s)", "Ports of the service, with their ports on nodes."),
    ("Roles", "Roles that labels give the node."),
    ("Internal-IP", "The address of the node inside the cluster."),
    ("OS-Image", "The operating system."),
    ("Kernel-Version", "The version of its kernel."),
    ("Container-Runtime", "What runs the containers, with its version."),
    ("Capacity", "The size of the volume."),
    ("Access Modes", "How many may mount it, and for what."),
    ("Reclaim Policy", "What becomes of the volume when its claim goes."),
    ("Claim", "The claim that has the volume."),
    ("Volume", "The volume that the claim has."),
    ("StorageClass", "The class of storage."),
    ("VolumeAttributesClass", "The class of attributes that can be changed later."),
    ("VolumeMode", "Whether there is a file system on it."),
    ("Node Selector", "Labels of the nodes that get a pod."),
    ("Revision", "Counts the states of its owner."),
    ("Completions", "Pods that are done, of those that must be."),
    ("Duration", "How long the job has run, or took."),
    ("Schedule", "When jobs are made, in cron's notation."),
    ("Timezone", "The time zone of the schedule."),
    ("Suspend", "Whether no jobs are made for now."),
    ("Active", "Jobs that run now."),
    ("Last Schedule", "Time since a job was made last."),
    ("Reference", "What is scaled."),
    ("Targets", "Measured values, and those aimed at."),
    ("MinPods", "The fewest pods."),
    ("MaxPods", "The most pods."),
    ("Holder", "Who has the lease."),
    ("AddressType", "What kind of addresses these are."),
    ("Class", "The class of the ingress, which says who serves it."),
    ("Hosts", "Host names that rules are for."),
    ("Address", "Where the ingress is reached."),
    ("Parameters", "An object with further settings."),
    ("Pod-Selector", "Which pods the policy is for."),
    ("Min Available", "Pods that must stay."),
    ("Max Unavailable", "Pods that may be missing."),
    ("Allowed Disruptions", "Pods that may be evicted now."),
    ("Role", "The role that is given."),
    ("Users", "Users that get the role."),
    ("Groups", "Groups that get the role."),
    ("ServiceAccounts", "Service accounts that get the role."),
    ("Value", "The priority; the higher goes first."),
    ("Global-Default", "Whether pods without a class get this one."),
    ("PreemptionPolicy", "Whether other pods may be pushed out."),
    ("Provisioner", "What makes the volumes."),
    ("ReclaimPolicy", "What becomes of volumes whose claims go."),
    ("VolumeBindingMode", "When a claim gets its volume."),
    ("AllowVolumeExpansion", "Whether volumes can grow."),
    ("Webhooks", "How many webhooks there are."),
    ("Pod Labels", "Labels of the pods."),
    ("Request", "Requests in use, of those allowed."),
    ("Limit", "Limits in use, of those allowed."),
    ("Service", "The service behind this version, unless it is built in."),
    ("SignerName", "Who shall sign."),
    ("Requestor", "Who asks for the certificate."),
    ("RequestedDuration", "How long it shall be valid."),
    ("Condition", "What has been decided, and whether it is issued."),
    ("Handler", "The name of the handler on nodes."),
    ("Drivers", "How many drivers the node has."),
    ("AttachRequired", "Whether volumes must be attached before use."),
    ("PodInfoOnMount", "Whether the driver is told which pod mounts."),
    ("StorageCapacity", "Whether free room counts when pods are placed."),
    ("TokenRequests", "Audiences of the tokens that the driver gets."),
    ("RequiresRepublish", "Whether mounts are renewed from time to time."),
    ("Modes", "How long volumes of the driver may live."),
    ("Attacher", "The driver that attaches the volume."),
    ("PV", "The volume."),
    ("Attached", "Whether it is attached."),
    ("CIDRs", "Ranges that service addresses come from."),
    ("Validations", "How many rules there are."),
    ("Mutations", "How many changes there are."),
    ("ParamKind", "The kind of objects that hold parameters."),
    ("PolicyName", "The policy that is bound."),
    ("ParamRef", "The object that holds the parameters."),
    ("State", "Whether devices are allocated, and for somebody."),
    ("Driver", "The driver of the devices."),
    ("Pool", "The pool that the devices are of."),
    ("DriverName", "The driver that understands the attributes."),
    ("ParentRef", "What has the address."),
    ("PriorityLevel", "The level that matching requests are of."),
    ("MatchingPrecedence", "Which of several that match counts: the lowest."),
    ("DistinguisherMethod", "What requests are told apart by."),
    ("MissingPL", "Whether its level is not there."),
    ("NominalConcurrencyShares", "Its share of the requests under way."),
    ("Queues", "How many queues it has."),
    ("HandSize", "In how many of them a flow may wait."),
    ("QueueLengthLimit", "How many requests may wait in one."),
    ("Error", "What is wrong with the component."),
    ("Last Seen", "Time since it happened last."),
    ("Object", "What it happened to."),
    ("Subobject", "The part of the object that is concerned."),
    ("Source", "Who tells it."),
    ("Message", "What happened, for people."),
    ("First Seen", "Time since it happened first."),
    ("Count", "How often it happened."),
];

#[cfg(test)]
mod tests {
    use super::{ANYWHERE, OF_KIND};
    use crate::table::builtin::{KINDS, columns};

    #[test]
    fn every_column_says_what_it_tells() {
        let others = [("", "Event"), ("example.com", "Nothing")];
        for (group, kind) in KINDS.iter().map(|of| (of.group, of.kind)).chain(others) {
            for column in &columns(group, kind).columns {
                assert!(column.description.ends_with('.'), "{kind}: {}", column.name);
            }
        }
    }

    #[test]
    fn no_words_are_left_over() {
        let all: Vec<(&str, String)> = (KINDS.iter().map(|of| (of.group, of.kind)))
            .chain([("", "Event"), ("example.com", "Nothing")])
            .flat_map(|(group, kind)| {
                columns(group, kind).columns.into_iter().map(move |column| (kind, column.name))
            })
            .collect();
        for (kind, name, _) in OF_KIND {
            assert!(all.iter().any(|(k, n)| k == kind && n == name), "{kind}: {name}");
        }
        for (name, _) in ANYWHERE {
            assert!(all.iter().any(|(_, n)| n == name), "{name}");
        }
    }
}
