// Package controller keeps a deployment for each lamp, and says what a lamp may be.
package controller

import (
	"context"
	"errors"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	homev1 "watchkeeper.dev/envtest/api/v1"
)

// Finalizer holds a lamp until it is switched off.
const Finalizer = "home.watchkeeper.dev/off"

// Lamps reconciles them.
type Lamps struct {
	client.Client
	Recorder events.EventRecorder
}

// SetupWithManager adds the controller and the webhooks.
func (l *Lamps) SetupWithManager(manager ctrl.Manager) error {
	err := ctrl.NewWebhookManagedBy(manager, &homev1.Lamp{}).
		WithDefaulter(&hooks{}).
		WithValidator(&hooks{}).
		Complete()
	if err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(manager).
		For(&homev1.Lamp{}).
		Owns(&appsv1.Deployment{}).
		Complete(l)
}

// Reconcile brings one lamp to where it should be.
func (l *Lamps) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	lamp := &homev1.Lamp{}
	if err := l.Get(ctx, request.NamespacedName, lamp); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !lamp.DeletionTimestamp.IsZero() {
		l.Recorder.Eventf(lamp, nil, corev1.EventTypeNormal, "Off", "Switch", "%s is off", lamp.Name)
		controllerutil.RemoveFinalizer(lamp, Finalizer)
		return ctrl.Result{}, l.Update(ctx, lamp)
	}
	if controllerutil.AddFinalizer(lamp, Finalizer) {
		if err := l.Update(ctx, lamp); err != nil {
			return ctrl.Result{}, err
		}
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: lamp.Name, Namespace: lamp.Namespace}}
	did, err := controllerutil.CreateOrUpdate(ctx, l.Client, deployment, func() error {
		labels := map[string]string{"lamp": lamp.Name}
		deployment.Spec.Replicas = &lamp.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "bulb", Image: "bulb:1"}}
		}
		return controllerutil.SetControllerReference(lamp, deployment, l.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if did == controllerutil.OperationResultCreated {
		l.Recorder.Eventf(lamp, deployment, corev1.EventTypeNormal, "On", "Switch", "%s is on", lamp.Name)
	}
	if lamp.Status.Deployment == deployment.Name && lamp.Status.Replicas == lamp.Spec.Replicas {
		return ctrl.Result{}, nil
	}
	lamp.Status = homev1.LampStatus{Deployment: deployment.Name, Replicas: lamp.Spec.Replicas}
	return ctrl.Result{}, l.Status().Update(ctx, lamp)
}

// hooks say what a lamp is that does not say so itself, and what none may be.
type hooks struct{}

func (*hooks) Default(_ context.Context, lamp *homev1.Lamp) error {
	if lamp.Spec.Colour == "" {
		lamp.Spec.Colour = "green"
	}
	return nil
}

func (*hooks) ValidateCreate(_ context.Context, lamp *homev1.Lamp) (admission.Warnings, error) {
	if lamp.Spec.Brightness > 90 {
		return nil, errors.New("nobody wants to be blinded")
	}
	if lamp.Spec.Brightness > 70 {
		return admission.Warnings{"it is bright"}, nil
	}
	return nil, nil
}

func (h *hooks) ValidateUpdate(ctx context.Context, _, lamp *homev1.Lamp) (admission.Warnings, error) {
	return h.ValidateCreate(ctx, lamp)
}

func (*hooks) ValidateDelete(context.Context, *homev1.Lamp) (admission.Warnings, error) {
	return nil, nil
}
